import type { ReactNode } from 'react'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useStartImport } from '#renderer/api/capture.ts'
import { useTraceFacets, useViews } from '#renderer/api/traces.ts'
import { formatScore } from '#renderer/app/words/score.ts'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Skeletons } from '#renderer/ui/skeletons.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { MARKS, markWord, TierMark } from '#renderer/ui/tier-mark.tsx'
import { useJobOf } from '#renderer/api/use-job.ts'
import { JobState } from '#renderer/app/job-progress.tsx'
import { useSearchState, type ChangeSearch } from '#renderer/ui/use-search.ts'
import { PlannedSessions, useDatasetPlan } from '../datasets/new/planned-sessions.tsx'
import { RunModels } from '../run-models.tsx'
import { inputOf, queryOf, readChoice, recipeOf, SOURCES, writeList, type BuildInput, type Choice, type Source } from './choice.ts'
import { MakeOptions } from './make-options.tsx'
import { MakeResult } from './make-result.tsx'

const SOURCE_WORDS: Record<Source, { label: string; meaning: string }> = {
  filter: { label: 'Tiers and repositories', meaning: 'all sessions, or only certain tiers and repositories' },
  view: { label: 'A saved view', meaning: 'the sessions a saved view lists now' },
  selection: { label: 'Selected sessions', meaning: 'sessions you selected in Traces, whatever their quality' },
}

/** Which sessions to use, with which options, and the result. */
export function Make() {
  const [search, change] = useSearchState()
  const ids = useChosenSessions((state) => state.ids)
  const choice = readChoice(search, ids.length > 0)
  const views = useViews()
  const view = views.data?.items.find(({ id }) => id === choice.view) ?? null
  const query = queryOf(choice, view?.query ?? null)
  const job = useJobOf('examples', (body: BuildInput) => api.buildExamples({ body }), "Couldn't make the examples")
  const offline = useOfflineReason()
  const input = choice.source === 'view' && !view ? null : inputOf(choice, query, ids)
  const allSessions = useTraceFacets('')
  if (allSessions.data?.total === 0) return <NoSessions />
  const missingReason =
    input === null ? (choice.source === 'view' ? 'Choose a saved view first.' : 'Select sessions in Traces first.') : null
  return (
    <Page title="Make examples" summary="Sessions are cut into tasks; each becomes a chat with real tool calls, for you to review." narrow>
      <Section title="Source">
        <div role="radiogroup" aria-label="Source of the examples" className="grid gap-2 sm:grid-cols-3">
          {SOURCES.map((source) => (
            <SourceCard
              key={source}
              source={source}
              count={source === 'selection' ? ids.length : null}
              checked={choice.source === source}
              onChoose={() => change({ from: source }, { replace: true })}
            />
          ))}
        </div>
        {choice.source === 'filter' ? <FilterChoice choice={choice} onChange={change} /> : null}
        {choice.source === 'view' ? (
          views.data?.items.length === 0 ? (
            <p className="text-sm text-second">
              No saved views yet. Enter a filter in <TextLink href="/traces">Traces</TextLink> and press “Save this view”.
            </p>
          ) : (
            <Select
              label="Saved view"
              className="w-72"
              value={view?.id ?? ''}
              options={views.data?.items.map(({ id, name }) => ({ value: id, label: name })) ?? []}
              onChange={(id) => change({ view: id }, { replace: true })}
            />
          )
        ) : null}
        {choice.source === 'selection' ? (
          <p className="text-sm text-second">
            {ids.length === 0 ? 'No sessions selected.' : `${plural(ids.length, 'session')} selected.`} Select rows in{' '}
            <TextLink href="/traces">Traces</TextLink> and press “Make examples” there.
          </p>
        ) : (
          <Sessions query={query ?? ''} choice={choice} onChange={change} />
        )}
      </Section>
      <MakeOptions options={choice.options} onChange={change} />
      <div className="flex flex-col gap-3">
        <div>
          <Button look="primary" busy={job.busy} reason={offline ?? missingReason} onClick={() => input && job.start(input)}>
            Make examples
          </Button>
        </div>
        <JobState
          name="Making examples"
          work={job}
          failed="Couldn't make the examples"
          stopped="Stopped. Examples already made are kept."
        />
        {job.result === null ? null : <MakeResult result={job.result} />}
      </div>
    </Page>
  )
}

function NoSessions() {
  const offline = useOfflineReason()
  const startImport = useStartImport()
  return (
    <Page title="Make examples" summary="Sessions are cut into tasks; each becomes a chat with real tool calls, for you to review." narrow>
      <EmptyState
        title="No sessions yet"
        action={
          <Button look="primary" reason={offline} busy={startImport.isPending} onClick={() => startImport.mutate(undefined)}>
            Import sessions
          </Button>
        }
      >
        Examples are made from archived sessions. Import the sessions on this machine, or start working with your agent to capture new ones.
      </EmptyState>
    </Page>
  )
}

function SourceCard({
  source,
  count,
  checked,
  onChoose,
}: {
  source: Source
  count: number | null
  checked: boolean
  onChoose: () => void
}) {
  const { label, meaning } = SOURCE_WORDS[source]
  return (
    <label
      className={cn(
        'flex cursor-pointer items-start gap-2 rounded border p-3 text-sm has-focus-visible:outline-2 has-focus-visible:outline-accent',
        checked ? 'border-accent bg-raised' : 'border-edge hover:bg-raised',
      )}
    >
      <input
        type="radio"
        name="source"
        value={source}
        checked={checked}
        onChange={onChoose}
        className="mt-1 size-4 shrink-0 accent-(--accent)"
      />
      <span>
        <span className="font-semibold">{label}</span>
        {count ? <span className="text-second"> · {formatCount(count)}</span> : null}
        <span className="block text-xs text-second">{meaning}</span>
      </span>
    </label>
  )
}

function FilterChoice({ choice, onChange }: { choice: Choice; onChange: ChangeSearch }) {
  const facets = useTraceFacets(choice.q)
  const setTier = (tier: (typeof MARKS)[number], on: boolean) =>
    onChange({ tiers: MARKS.filter((one) => (one === tier ? on : choice.tiers.includes(one))).join(','), quality: null }, { replace: true })
  const setRepo = (repo: string, on: boolean) =>
    onChange({ repos: writeList(on ? [...choice.repos, repo] : choice.repos.filter((one) => one !== repo)) }, { replace: true })
  if (facets.error && !facets.data)
    return <ErrorState title="Couldn't count tiers and repositories" error={facets.error} retry={() => void facets.refetch()} />
  if (!facets.data)
    return (
      <Loading label="Counting sessions" className="flex flex-wrap gap-6">
        {['tiers', 'repositories'].map((group) => (
          <div key={group} className="flex w-56 flex-col gap-3">
            <Skeleton className="h-3 w-32" />
            <Skeletons count={5} className="h-4" />
          </div>
        ))}
      </Loading>
    )
  return (
    <div className="flex flex-wrap gap-6">
      {choice.q.trim() === '' ? null : (
        <p className="flex w-full items-center gap-2 text-sm">
          Filter <span className="font-mono break-words">{choice.q}</span>
          <Button size="small" look="quiet" onClick={() => onChange({ q: null }, { replace: true })}>
            Clear filter
          </Button>
        </p>
      )}
      <Group label="Tiers (none = all)">
        {MARKS.map((tier) => (
          <CheckRow
            key={tier}
            id={`tier-${tier}`}
            checked={choice.tiers.includes(tier)}
            count={facets.data.tier.find(({ value }) => value === tier)?.count ?? 0}
            onChange={(on) => setTier(tier, on)}
          >
            <TierMark mark={tier} word />
            <span className="sr-only">{markWord(tier)}</span>
          </CheckRow>
        ))}
      </Group>
      <Group label="Repositories (none = all)">
        {facets.data.repo.map(({ value, count }) => (
          <CheckRow
            key={value}
            id={`repo-${value}`}
            checked={choice.repos.includes(value)}
            count={count}
            onChange={(on) => setRepo(value, on)}
          >
            <span className="truncate" title={value}>
              {value}
            </span>
          </CheckRow>
        ))}
      </Group>
    </div>
  )
}

const Group = ({ label, children }: { label: string; children: ReactNode }) => (
  <fieldset className="min-w-56">
    <legend className="pb-1 text-xs text-second">{label}</legend>
    <div className="max-h-44 overflow-y-auto">{children}</div>
  </fieldset>
)

function CheckRow({
  id,
  checked,
  count,
  onChange,
  children,
}: {
  id: string
  checked: boolean
  count: number
  onChange: (on: boolean) => void
  children: ReactNode
}) {
  return (
    <div className="flex h-7 items-center gap-2 text-sm">
      <Checkbox id={id} checked={checked} onChange={onChange} />
      <label htmlFor={id} className="flex min-w-0 flex-1 items-center gap-2">
        {children}
      </label>
      <span className="font-mono text-xs text-second">{formatCount(count)}</span>
    </div>
  )
}

const QUALITIES = ['any', '0.4', '0.55', '0.7', '0.75', '0.9'] as const

/** How many sessions will be used, and why others are not: as for a data set. */
function Sessions({ query, choice, onChange }: { query: string; choice: Choice; onChange: ChangeSearch }) {
  const plan = useDatasetPlan(recipeOf(choice, query))
  const { minQuality, unverified, runs } = choice
  const value = minQuality === null ? 'any' : String(minQuality)
  return (
    <div className="flex flex-col gap-3 text-sm">
      <span className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <span className="flex items-center gap-2">
          Minimum quality
          <Select
            label="Minimum session quality"
            className="min-w-24!"
            value={value}
            options={[...new Set([...QUALITIES, value])].map((one) => ({
              value: one,
              label: one === 'any' ? 'any' : formatScore(Number(one)),
            }))}
            onChange={(quality) => onChange({ quality }, { replace: true })}
          />
        </span>
        <span className="flex items-center gap-1">
          <Checkbox
            id="include-unverified"
            checked={unverified}
            onChange={(on) => onChange({ unverified: on ? '1' : null }, { replace: true })}
          />
          <label htmlFor="include-unverified">Include gold without verification</label>
        </span>
      </span>
      <Group label="Agent runs (none checked = left out)">
        <RunModels filter={query} models={runs} onChange={(next) => onChange({ runs: writeList(next) }, { replace: true })} />
      </Group>
      <PlannedSessions plan={plan.data} error={plan.error} onlyImported={false} />
    </div>
  )
}
