import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button } from '#renderer/ui/button.tsx'
import { CodeBlock } from '#renderer/ui/code-block.tsx'
import { formatDuration, plural } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { JobProgress } from '../../job-progress.tsx'
import { Curation } from './curation.tsx'
import { ExampleRules } from './example-rules.tsx'
import { PrivacyRules } from './privacy-rules.tsx'
import { commandOf, draftOf, type FormPart, recipeOf } from './recipe.ts'
import { Sources } from './sources.tsx'
import { useBuild } from './use-build.ts'

/** The recipe of a data set, the command that says the same, and the build. */
export default function NewDataset() {
  const search = useSearch()
  const [draft, setDraft] = useState(() => draftOf(new URLSearchParams(search)))
  const offline = useOfflineReason()
  const build = useBuild()
  const read = useMemo(() => recipeOf(draft), [draft])
  const errors: Record<string, string> = 'errors' in read ? read.errors : {}
  const form: FormPart = {
    draft,
    set: (part) => setDraft((before) => ({ ...before, ...part })),
    errorOf: (path) => Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`))?.[1],
  }
  const start = () => {
    if ('recipe' in read && !build.busy && offline === null) build.start(read.recipe)
  }
  useKeys({ submit: start })
  const reason =
    offline ??
    (build.running ? 'Another data set is being built. Wait until it is done.' : 'errors' in read ? Object.values(errors).join(' ') : null)
  return (
    <Page
      narrow
      title="New data set"
      summary={
        <>
          The same recipe, sessions and seed always produce identical files. <TextLink href="/factory/datasets">All data sets</TextLink>
        </>
      }
    >
      <Sources {...form} />
      {draft.kind === 'prompts' || draft.kind === 'rlvr' ? null : <ExampleRules {...form} />}
      <Curation {...form} />
      <PrivacyRules {...form} />
      <Section title="Build" note="A version appears only when it is complete. Stopping discards it.">
        <CodeBlock label="Command for the same build" text={commandOf(draft)} wrap className="max-w-full" />
        <div>
          <Button look="primary" keys={keyOf('submit')} reason={reason} busy={build.busy} onClick={start}>
            Build
          </Button>
        </div>
        {build.running ? <JobProgress name="Building a data set" job={build.running} onStop={build.cancel} /> : null}
        {build.error ? <ErrorState title="Couldn't build the data set" error={build.error} /> : null}
        {build.wasStopped ? (
          <p role="status" className="text-sm">
            Stopped. Nothing was saved.
          </p>
        ) : null}
        {build.built ? (
          <div role="status" className="flex flex-wrap items-center gap-3 text-sm">
            <span>
              <b>
                {build.built.name} v{build.built.version}
              </b>{' '}
              is built: {plural(build.built.counts.train, 'row')} for training, {build.built.counts.val} for validation,{' '}
              {build.built.counts.test} for testing, in {formatDuration(build.built.ms)}.
            </span>
            <ButtonLink href={`/factory/datasets/${build.built.id}`}>Open data set</ButtonLink>
          </div>
        ) : null}
      </Section>
    </Page>
  )
}
