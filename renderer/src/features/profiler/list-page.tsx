import { useCallback, useMemo, useRef, useState } from 'react'
import { useLocation } from 'wouter'
import type { z } from 'zod'
import type { ProfiledSession } from '#contracts/entities/profile.ts'
import { TraceSort } from '#contracts/routes/traces.ts'
import { type ProfilesOf, useProfiles } from '#renderer/api/profiles.ts'
import { FilterBar } from '#renderer/app/filter-bar.tsx'
import { profileHref } from '#renderer/app/links.ts'
import { ListPage } from '#renderer/app/list-page.tsx'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useRowPx } from '#renderer/stores/theme.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { type CellColumn, useCellColumns } from '#renderer/ui/lists/cell-columns.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { NOTHING } from '#renderer/ui/lists/selection.ts'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TabLinksRow } from '#renderer/ui/tab-links.tsx'
import { Unknown } from '#renderer/ui/unknown.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useSettled } from '#renderer/ui/use-settled.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { PROFILER_TABS, SOURCE_WORDS, timeWord, UNTITLED } from './words.ts'

type Sort = z.infer<typeof TraceSort>
const SLOWEST: Sort = '-working'

/** `/profiler`: sessions, the slowest first. `/profiler/recorded`: what was recorded of runs and other programs, the newest first. */
export default function ProfilesPage({ of }: { of: ProfilesOf }) {
  const isRecorded = of === 'recorded'
  const [search, change] = useSearchState()
  const [, go] = useLocation()
  const q = useSettled(isRecorded ? '' : (search.get('q') ?? ''))
  const sort = TraceSort.catch(SLOWEST).parse((isRecorded ? null : search.get('sort')) ?? SLOWEST)
  const list = useProfiles(of, q, sort)
  const { rows, total, more } = useRows(list)
  const handle = useRef<RowGridHandle>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const current = currentId !== null && ids.includes(currentId) ? currentId : null
  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
  }
  const { next, previous } = useRowKeys({ ids, currentId: current, selection: NOTHING, goTo, select: () => undefined })
  useKeys({ next, previous, open: () => (current === null ? false : go(profileHref(current))) })
  return (
    <ListPage
      title="Profiler"
      summary={isRecorded ? RECORDED : SESSIONS}
      noun={isRecorded ? 'trace' : 'session'}
      list={list}
      count={rows.length}
      isFiltered={q !== ''}
      onShowAll={() => change({ q: null })}
      actions={(isEmpty) =>
        isRecorded || isEmpty || rows[0] === undefined || sort !== SLOWEST ? null : (
          <ButtonLink href={profileHref(rows[0].id)} look="primary">
            Open the slowest
          </ButtonLink>
        )
      }
      top={<TabLinksRow {...PROFILER_TABS} current={of} />}
      filters={
        isRecorded ? (
          <p className="px-6 pb-2 text-xs text-second">{plural(total, 'trace')}</p>
        ) : (
          <FilterBar
            label="Filter sessions"
            placeholder="Filter, as in Traces: repo:api tokens:>50k"
            search={search}
            change={change}
            end={<span className="text-xs text-second">{plural(total, 'session')}</span>}
          />
        )
      }
      first={
        isRecorded ? (
          <EmptyState title="Nothing recorded yet" action={<TextLink href="/settings/telemetry">Set up telemetry</TextLink>}>
            Rollouts, exams and the proxy are recorded when they run. Claude Code and your own programs can send their spans, too.
          </EmptyState>
        ) : (
          <EmptyState title="No sessions yet" action={<TextLink href="/traces">Go to Traces</TextLink>}>
            Each session of Claude Code that is captured or imported is listed here with its duration, waiting, tokens and cost.
          </EmptyState>
        )
      }
    >
      <RowGrid
        ref={handle}
        label={isRecorded ? 'Recorded traces' : 'Sessions'}
        rows={rows}
        total={total}
        currentId={current}
        openId={null}
        selection={NOTHING}
        sort={isRecorded ? null : sort}
        onSort={(next_) => change({ sort: next_ === SLOWEST ? null : next_ })}
        rowPx={useRowPx()}
        stale={list.isPlaceholderData}
        onEnd={more}
        onPress={useCallback(({ id }: ProfiledSession) => go(profileHref(id)), [go])}
        nameOf={nameOf}
        {...useCellColumns(isRecorded ? RECORDED_COLUMNS : COLUMNS)}
      />
    </ListPage>
  )
}

const SESSIONS = 'Where the time, tokens and money of your sessions went. Nothing to set up: every captured session is a profile.'
const RECORDED = 'What rollouts, exams and the proxy did, and what other programs sent. None of it is added to the figures of sessions.'

const nameOf = ({ id, title }: ProfiledSession): string => title ?? id

const Time = ({ ms }: { ms: number | null }) => (ms === null ? <span className="text-second">{timeWord(null)}</span> : timeWord(ms))

interface Column extends CellColumn<ProfiledSession> {
  sort?: Sort | null
}

const COLUMNS: readonly Column[] = [
  {
    id: 'title',
    label: 'Session',
    width: 200,
    grows: true,
    leaves: null,
    sort: 'title',
    cell: ({ id, title }) => (
      <TextLink href={profileHref(id)} className="block min-w-0 truncate no-underline! hover:underline!">
        {title === null ? UNTITLED : <Visible text={title} />}
      </TextLink>
    ),
  },
  {
    id: 'repo',
    label: 'Repository',
    width: 120,
    leaves: 3,
    sort: 'repo',
    cell: ({ repo }) =>
      repo === null ? (
        <Unknown why="Not known." />
      ) : (
        <span className="block truncate text-xs">
          <Visible text={repo} />
        </span>
      ),
  },
  {
    id: 'working',
    label: 'Working',
    width: 96,
    numeric: true,
    leaves: null,
    sort: '-working',
    cell: ({ summary }) => <Time ms={summary.workingMs} />,
  },
  {
    id: 'waiting',
    label: 'Waiting',
    width: 96,
    numeric: true,
    leaves: 6,
    sort: '-waiting',
    cell: ({ summary }) => <Time ms={summary.waitingMs} />,
  },
  {
    id: 'duration',
    label: 'Duration',
    width: 96,
    numeric: true,
    leaves: 1,
    sort: '-duration',
    cell: ({ summary }) => <Time ms={summary.durationMs} />,
  },
  { id: 'requests', label: 'Requests', width: 84, numeric: true, leaves: 2, cell: ({ summary }) => formatCount(summary.llmCalls.count) },
  {
    id: 'calls',
    label: 'Calls',
    width: 72,
    numeric: true,
    leaves: 4,
    sort: '-toolCalls',
    cell: ({ summary }) => formatCount(summary.toolCalls),
  },
  {
    id: 'tokens',
    label: 'Tokens',
    width: 84,
    numeric: true,
    leaves: 7,
    sort: '-tokens',
    cell: ({ summary: { llmCalls } }) =>
      llmCalls.totalTokens === null ? <Unknown why="Not recorded." /> : formatCompact(llmCalls.totalTokens),
  },
  {
    id: 'cost',
    label: 'Cost',
    width: 76,
    numeric: true,
    leaves: 8,
    sort: '-cost',
    cell: ({ summary: { costUsd } }) => (costUsd === null ? <Unknown why="A price or a token count is not known." /> : formatUsd(costUsd)),
  },
  {
    id: 'started',
    label: 'Started',
    width: 92,
    numeric: true,
    leaves: 5,
    sort: '-startedAt',
    cell: ({ startedAt }) =>
      startedAt === null ? <Unknown why="Not recorded." /> : <RelativeTime at={startedAt} className="text-second" />,
  },
]

const SOURCE: Column = {
  id: 'source',
  label: 'From',
  width: 120,
  leaves: null,
  cell: ({ source }) => <span className="text-xs">{SOURCE_WORDS[source]}</span>,
}
const RECORDED_COLUMNS: readonly Column[] = COLUMNS.map((column) =>
  column.id === 'repo' ? SOURCE : column.id === 'title' ? { ...column, label: 'Trace' } : column,
)
