import { useEffect, useMemo, useState } from 'react'
import { useLocation, useSearch } from 'wouter'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { newRunHref } from '#renderer/app/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatDuration, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { headlineOf } from './headline.ts'
import { commandOf, draftOf, type FormPart, recipeOf } from './recipe.ts'
import { Recipe } from './recipe-form.tsx'
import { PlannedSessions, useDatasetPlan } from './planned-sessions.tsx'
import { LearningChecks } from './learning-checks.tsx'
import { useBuild } from './use-build.ts'

/** Builds a data set. With `?train=1`, then continues to a new run with it. */
export default function NewDataset() {
  const search = new URLSearchParams(useSearch())
  const selectedIds = useChosenSessions((state) => state.ids)
  const [draft, setDraft] = useState(() => draftOf(search, selectedIds))
  const [, go] = useLocation()
  const offline = useOfflineReason()
  const build = useBuild()
  const parsed = useMemo(() => recipeOf(draft), [draft])
  const recipe = 'recipe' in parsed ? parsed.recipe : null
  const plan = useDatasetPlan(recipe)
  const errors: Record<string, string> = 'errors' in parsed ? parsed.errors : {}
  const form: FormPart = {
    draft,
    set: (part) => setDraft((before) => ({ ...before, ...part })),
    errorOf: (path) => Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1],
  }
  const isToTrain = search.get('train') === '1'
  const [isStarted, setStarted] = useState(false)
  const start = () => {
    if (recipe === null || reason !== null || build.busy) return
    setStarted(true)
    build.start(recipe)
  }
  // hide the result of a build that this form did not start
  const built = isStarted && !build.busy && !build.error ? build.built : null
  const noSessionsReason =
    plan.data?.sessions === 0 && draft.include.length === 0
      ? 'No session is taken. Choose other tiers or another filter in the recipe.'
      : null
  const reason =
    offline ??
    (build.running
      ? 'A data set is being built.'
      : 'errors' in parsed
        ? Object.values(errors).join(' ')
        : (plan.error?.message ?? noSessionsReason))
  useKeys({ submit: start })
  const nextHref = isToTrain && built !== null && built.counts.train > 0 ? newRunHref(built) : null
  useEffect(() => {
    if (nextHref !== null) go(nextHref, { replace: true })
  }, [nextHref, go])
  return (
    <Page
      narrow
      title={isToTrain ? 'Train on this' : 'New data set'}
      summary={
        isToTrain ? (
          'First the data set: sessions are cut into tasks, checked for secrets and split. Then you see the plan of the run before it starts.'
        ) : (
          <>
            The same recipe, sessions and seed always produce identical files. <TextLink href="/factory/datasets">All data sets</TextLink>
          </>
        )
      }
    >
      <section aria-label="What is built" className="flex flex-col gap-4 rounded border border-edge bg-panel p-4">
        <h2 className="text-lg font-semibold">{headlineOf(draft)}</h2>
        <PlannedSessions plan={plan.data} error={plan.error} onlyImported={plan.data?.matching === 0 && draft.include.length > 0} />
        {plan.data?.sessions === 0 && draft.tiers.length > 0 && plan.data.matching > 0 ? (
          <div>
            <Button size="small" onClick={() => form.set({ tiers: [], minQuality: '0' })}>
              Use sessions of every tier
            </Button>
          </div>
        ) : null}
        <LearningChecks {...form} />
        <div className="flex flex-wrap items-center gap-3">
          <Button look="primary" keys={keyOf('submit')} reason={reason} busy={build.busy} onClick={start}>
            {isToTrain ? 'Build and plan the run' : 'Build'}
          </Button>
          <span className="text-xs text-second">A version appears only when it is complete. Stopping discards it.</span>
        </div>
        <JobState name="Building a data set" work={build} failed="Couldn't build the data set" stopped="Stopped. Nothing was saved." />
        {built ? (
          <div role="status" className="flex flex-wrap items-center gap-3 text-sm">
            <span>
              <b>
                {built.name} v{built.version}
              </b>{' '}
              is built: {plural(built.counts.train, 'row')} for training, {built.counts.val} for validation, {built.counts.test} for
              testing, in {formatDuration(built.ms)}.
            </span>
            <ButtonLink href={`/factory/datasets/${built.id}`}>Open data set</ButtonLink>
            {built.counts.train > 0 ? <ButtonLink href={newRunHref(built)}>Train on this</ButtonLink> : null}
          </div>
        ) : null}
      </section>
      <Recipe {...form} errors={Object.keys(errors)} />
      <details className="rounded border border-line px-4 py-2">
        <summary className="text-sm leading-6 font-semibold">Command for the same build</summary>
        <CodeBlock label="Command for the same build" text={commandOf(draft)} wrap className="my-2 max-w-full" />
      </details>
    </Page>
  )
}
