import { useMemo } from 'react'
import { AnalyticsBy, type AnalyticsRow } from '#contracts/entities/profile.ts'
import { useAnalytics } from '#renderer/api/profiles.ts'
import { FilterBar } from '#renderer/app/filter-bar.tsx'
import { profilesHref, tracesHref } from '#renderer/app/links.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { formatCompact, formatCount, formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { TabLinksRow } from '#renderer/ui/tab-links.tsx'
import { Unknown } from '#renderer/ui/unknown.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useSettled } from '#renderer/ui/use-settled.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { PROFILER_TABS, timeWord } from './words.ts'

const WORDS: Readonly<Record<AnalyticsBy, { label: string; noun: string; unknown: string }>> = {
  repo: { label: 'Repository', noun: 'repository', unknown: 'no repository' },
  model: { label: 'Model', noun: 'model', unknown: 'unknown model' },
  tool: { label: 'Tool', noun: 'tool', unknown: 'unknown tool' },
  week: { label: 'Week', noun: 'week', unknown: 'no time recorded' },
}
const BY = AnalyticsBy.options.map((id) => ({ id, label: WORDS[id].label }))

/** `/profiler/across`: where the time and money of all sessions went; `?by=`, `?q=`. */
export default function AcrossPage() {
  useTitle('Profiler')
  const [search, change] = useSearchState()
  const by = AnalyticsBy.catch('repo').parse(search.get('by'))
  const q = useSettled(search.get('q') ?? '')
  const query = useAnalytics(by, q)
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        heading="Profiler"
        summary="Where the time and money of all sessions went. Each bar lists its sessions. A fork counts with its whole conversation, as on its own page."
      />
      <TabLinksRow {...PROFILER_TABS} current="across" />
      <FilterBar
        label="Filter sessions"
        placeholder="Filter, as in Traces: age:<30d -is:run"
        search={search}
        change={change}
        end={<span className="text-xs text-second">{query.data ? plural(query.data.total, 'session') : ''}</span>}
      >
        <Segmented label="By" value={by} options={BY} onChange={(next) => change({ by: next === 'repo' ? null : next })} />
      </FilterBar>
      <div className="min-h-0 flex-1 overflow-y-auto px-6 py-4">
        <Fetched query={{ ...query, refetch: query.refetch }} what="figures" bars={['h-8 w-full', 'h-8 w-full', 'h-8 w-3/4']}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={q === '' ? 'No sessions yet' : 'No matching sessions'}>
                {q === '' ? 'Sessions that are captured or imported are summed up here.' : 'No session matches the filter.'}
              </EmptyState>
            ) : (
              <Groups by={by} items={items} {...WORDS[by]} />
            )
          }
        </Fetched>
      </div>
    </div>
  )
}

function Groups({ by, items, unknown, noun }: { by: AnalyticsBy; items: AnalyticsRow[]; unknown: string; noun: string }) {
  const columns = useMemo(() => columnsOf(by, items, unknown), [by, items, unknown])
  return <Table caption={`Sessions by ${noun}`} columns={columns} rows={items} keyOf={({ key }) => key ?? ''} />
}

/** What a bar is as long as: time where it can be told, else tokens. */
const lengthOf = (by: AnalyticsBy, row: AnalyticsRow): number => (by === 'model' ? totalOf(row) : (row.durationMs ?? 0))
const totalOf = ({ tokens }: AnalyticsRow): number => Object.values(tokens ?? {}).reduce<number>((sum, count) => sum + (count ?? 0), 0)

function columnsOf(by: AnalyticsBy, items: readonly AnalyticsRow[], unknown: string): Column<AnalyticsRow>[] {
  const longest = items.reduce((most, row) => Math.max(most, lengthOf(by, row)), 1)
  const nameOf = ({ key }: AnalyticsRow) => (key === null ? unknown : by === 'week' ? `Week of ${key}` : key)
  const time = (id: 'durationMs' | 'waitingMs' | 'workingMs' | 'p50Ms' | 'p95Ms', label: string): Column<AnalyticsRow> => ({
    id,
    label,
    numeric: true,
    cell: (row) => timeWord(row[id]),
  })
  const timed: Column<AnalyticsRow>[] =
    by === 'model'
      ? []
      : by === 'tool'
        ? [time('durationMs', 'Together'), time('p50Ms', 'p50'), time('p95Ms', 'p95')]
        : [time('workingMs', 'Working'), time('waitingMs', 'Waiting')]
  const called: Column<AnalyticsRow>[] =
    by === 'model'
      ? []
      : [
          { id: 'calls', label: 'Calls', numeric: true, cell: ({ toolCalls }) => formatCount(toolCalls) },
          {
            id: 'failed',
            label: 'Failed',
            numeric: true,
            cell: ({ failedToolCalls, toolCalls }) =>
              toolCalls === null || toolCalls === 0 || failedToolCalls === null ? '' : formatPercent(failedToolCalls / toolCalls),
          },
        ]
  const spent: Column<AnalyticsRow>[] =
    by === 'tool'
      ? []
      : [
          { id: 'tokens', label: 'Tokens', numeric: true, cell: (row) => formatCompact(totalOf(row)) },
          { id: 'cost', label: 'Cost', numeric: true, cell: (row) => <Cost {...row} /> },
        ]
  return [
    {
      id: 'key',
      label: WORDS[by].label,
      className: 'max-w-72 break-words',
      cell: (row) =>
        row.query === null ? (
          nameOf(row)
        ) : (
          <TextLink href={tracesHref(row.query)}>
            <Visible text={nameOf(row)} />
          </TextLink>
        ),
    },
    {
      id: 'bar',
      label: by === 'model' ? 'Tokens' : by === 'tool' ? 'Time' : 'Time; waiting is hatched',
      className: 'w-1/3 min-w-40',
      cell: (row) => <Bar row={row} name={nameOf(row)} share={lengthOf(by, row) / longest} />,
    },
    { id: 'sessions', label: 'Sessions', numeric: true, cell: ({ sessions }) => formatCount(sessions) },
    ...timed,
    ...called,
    ...spent,
    {
      id: 'profiles',
      label: <span className="sr-only">Profiles</span>,
      numeric: true,
      cell: (row) => (row.query === null ? null : <TextLink href={profilesHref(row.query)}>Slowest</TextLink>),
    },
  ]
}

const Cost = ({ costUsd, unpriced }: AnalyticsRow) => {
  const rest = unpriced ? `${plural(unpriced, 'session')} not in it, because a price or a token count is not known.` : null
  if (costUsd === null) return <Unknown why={rest ?? 'Not known.'} />
  return (
    <span title={rest ?? undefined}>
      {rest === null ? '' : 'at least '}
      {formatUsd(costUsd)}
    </span>
  )
}

function Bar({ row: { query, durationMs, waitingMs }, name, share }: { row: AnalyticsRow; name: string; share: number }) {
  const waiting = durationMs && waitingMs !== null ? Math.min(1, waitingMs / durationMs) : 0
  const bar = (
    <span aria-hidden className="flex h-4 min-w-0.5 translate-y-0.5 overflow-hidden rounded-xs" style={{ width: `${share * 100}%` }}>
      <span className="h-full bg-series-1" style={{ width: `${(1 - waiting) * 100}%` }} />
      <span className="h-full bg-(image:--pending-hatch)" style={{ width: `${waiting * 100}%` }} />
    </span>
  )
  if (query === null) return bar
  return (
    <TextLink href={tracesHref(query)} className="block no-underline!" title={`List the sessions: ${name}`}>
      <span className="sr-only">List the sessions of {name}</span>
      {bar}
    </TextLink>
  )
}
