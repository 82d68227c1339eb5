import { useQueryClient } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useCallback, useMemo, useRef, useState } from 'react'
import { PairSource, ReviewState, type Pair } from '#contracts/entities/example.ts'
import { api } from '#renderer/api/client.ts'
import { pairKeys } from '#renderer/api/pairs.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { RowsSkeleton } from '../skeletons.tsx'
import { STATE_WORDS, STATES } from '../examples/words.ts'
import { ReviewBar } from '../review-bar.tsx'
import { performReview, undoNewest } from '../undo.ts'
import { useSearchState, type ChangeSearch } from '#renderer/ui/use-search.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { FindPairs, useFindPairs } from './find-pairs.tsx'
import { OpenPair } from './open-pair.tsx'
import { PairList } from './pair-list.tsx'
import { filterOf, openIdOf, queryOf, usePairs, type PairFilter } from './queries.ts'
import { SOURCE_WORDS, SOURCES } from './words.ts'

const ALL = '*'

/** The review of preference pairs. */
export default function PairsPage() {
  useTitle('Pairs')
  const [search, change] = useSearchState()
  const [isFinding, setFinding] = useState(false)
  const job = useFindPairs()
  const filter = useMemo(() => filterOf(search), [search])
  const list = usePairs(filter)
  const first = list.data?.pages[0]
  const isEmpty = first?.total === 0 && !isFiltered(filter) && openIdOf(search) === null
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead
        heading="Pairs"
        beside={isEmpty ? null : <Filters filter={filter} change={change} counts={first?.counts} />}
        actions={
          isEmpty ? null : (
            <Button look="primary" icon={Search} onClick={() => setFinding(true)}>
              Find pairs …
            </Button>
          )
        }
      />
      {job.running && !isFinding ? (
        <div className="px-4 py-2">
          <JobProgress name="Searching for pairs" job={job.running} />
        </div>
      ) : null}
      {list.error && !list.data ? (
        <ErrorState title="Couldn't load the pairs" error={list.error} retry={() => void list.refetch()} className="m-4" />
      ) : list.data ? (
        <Review filter={filter} list={list} search={search} change={change} onFind={() => setFinding(true)} />
      ) : (
        <RowsSkeleton label="Loading pairs" rowPx={56} isTwoLines />
      )}
      {isFinding ? <FindPairs job={job} onClose={() => setFinding(false)} /> : null}
    </div>
  )
}

function Filters({
  filter,
  change,
  counts,
}: {
  filter: PairFilter
  change: ChangeSearch
  counts: { source: Record<string, number>; state: Record<string, number> } | undefined
}) {
  const withCount = (label: string, count: number | undefined) => (counts ? `${label} (${formatCount(count ?? 0)})` : label)
  return (
    <div className="flex flex-wrap items-center gap-2 text-sm">
      <Select
        label="State"
        value={filter.state ?? ALL}
        options={[
          { value: ALL, label: 'All states' },
          ...STATES.map((value) => ({ value, label: withCount(STATE_WORDS[value], counts?.state[value]) })),
        ]}
        onChange={(value) => change({ state: ReviewState.safeParse(value).data ?? null, id: null })}
      />
      <Select
        label="Source"
        value={filter.source ?? ALL}
        options={[
          { value: ALL, label: 'All sources' },
          ...SOURCES.map((value) => ({ value, label: withCount(SOURCE_WORDS[value].label, counts?.source[value]) })),
        ]}
        onChange={(value) => change({ source: PairSource.safeParse(value).data ?? null, id: null })}
      />
      <TextInput
        aria-label="Search prompts"
        className="w-56"
        value={filter.q}
        placeholder="Search prompts"
        onChange={(q) => change({ q }, { replace: true })}
      />
    </div>
  )
}

const isFiltered = ({ state, source, q, trace }: PairFilter) => state !== null || source !== null || q !== '' || trace !== null

interface ReviewProps {
  filter: PairFilter
  list: ReturnType<typeof usePairs>
  search: URLSearchParams
  change: ChangeSearch
  onFind: () => void
}

function Review({ filter, list, search, change, onFind }: ReviewProps) {
  const queries = useQueryClient()
  const { rows: pairs, total, more } = useRows(list)
  const ids = useMemo(() => pairs.map(({ id }) => id), [pairs])
  const counts = list.data?.pages[0]?.counts.source ?? {}
  const openId = openIdOf(search)
  const [currentId, setCurrentId] = useState(openId)
  const { selection, select, clear, isAll, count, selectedIds, all, grid } = useListSelection({
    ids,
    total,
    filter: JSON.stringify(filter),
    onOpen: useCallback(
      ({ id }: Pair) => {
        setCurrentId(id)
        change({ id }, { replace: openId !== null })
      },
      [change, openId],
    ),
  })
  const handle = useRef<RowGridHandle>(null)
  const at = ids.indexOf(openId ?? currentId ?? '')
  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
    if (openId !== null) change({ id }, { replace: true })
  }
  const rowKeys = useRowKeys({ ids, currentId: ids[at] ?? null, selection, goTo, select })
  const review = (state: ReviewState) => {
    const current = at < 0 ? [] : [ids[at]!]
    const reviewedIds = count > 0 ? selectedIds : current
    if (reviewedIds.length === 0) return
    const changedCount = isAll ? total : reviewedIds.length
    void performReview(state, changedCount, 'pair', {
      save: () => api.reviewPairs({ body: { selection: isAll ? { filter: queryOf(filter) } : { ids: reviewedIds }, state } }),
      undo: (bulkId) => api.undoPairReview({ params: { bulkId }, body: {} }),
      refetch: () => queries.invalidateQueries({ queryKey: pairKeys.all }),
    })
    if (count > 0) clear()
    else rowKeys.next()
  }
  useKeys({
    ...rowKeys,
    open: () => {
      const id = ids[at]
      if (id === undefined || openId !== null) return false
      change({ id })
      return true
    },
    peek: () => change({ id: openId === null ? (ids[at] ?? null) : null }, { replace: openId !== null }),
    back: () => {
      if (count > 0) clear()
      else if (openId !== null) change({ id: null })
      else return false
      return true
    },
    accept: () => review('accepted'),
    reject: () => review('rejected'),
    undo: () => void undoNewest(),
  })

  if (pairs.length === 0 && openId === null) {
    return isFiltered(filter) ? (
      <EmptyState
        title="No matching pairs"
        action={<Button onClick={() => change({ state: null, source: null, q: null, trace: null })}>Clear filters</Button>}
      >
        No pair matches these filters.
      </EmptyState>
    ) : (
      <EmptyState
        title="No pairs yet"
        action={
          <Button look="primary" icon={Search} onClick={onFind}>
            Find pairs …
          </Button>
        }
      >
        A pair is a better and a worse response to the same situation: a failed call and the one that worked, two sessions on one task, or
        an edit that you corrected. Find pairs in your sessions and review them here.
      </EmptyState>
    )
  }
  return (
    <Split id="pairs" panelIds={openId === null ? ['list'] : ['list', 'open']}>
      <Pane id="list" minSize="260px" defaultSize={openId === null ? undefined : '30%'}>
        {count > 0 ? <ReviewBar noun="pairs" count={count} all={all} onReview={review} onClear={clear} /> : null}
        <PairList
          {...grid}
          ref={handle}
          rows={pairs}
          total={total}
          currentId={ids[at] ?? null}
          openId={openId}
          stale={list.isPlaceholderData}
          onEnd={more}
        />
        <p role="status" className="border-t border-line px-4 py-1 text-xs text-second">
          {plural(total, 'pair')}
          {SOURCES.filter((source) => (counts[source] ?? 0) > 0).map((source) => (
            <span key={source}>
              {' · '}
              <TextLink href={`/factory/pairs?source=${source}`}>
                {formatCount(counts[source])} {SOURCE_WORDS[source].label.toLowerCase()}
              </TextLink>
            </span>
          ))}
        </p>
      </Pane>
      {openId === null ? null : (
        <>
          <Handle label="Resize the list" />
          <Pane id="open" minSize="480px">
            <OpenPair key={openId} id={openId} onReview={review} onClose={() => change({ id: null })} />
          </Pane>
        </>
      )}
    </Split>
  )
}
