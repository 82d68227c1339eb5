import { useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { Redirect, useLocation, useParams } from 'wouter'
import type { Tier } from '#contracts/entities/common.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { useCheckTraces } from '#renderer/api/checks.ts'
import { useLookUpOutcomes } from '#renderer/api/outcomes.ts'
import { traceKeys, useTrace } from '#renderer/api/traces.ts'
import { clearArrivals, useArrivals } from '#renderer/api/arrivals.ts'
import { gradeHref, newBatchHref, trainHref } from '#renderer/app/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useChosenSessions } from '#renderer/stores/chosen-sessions.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { useTraceActions, type BulkAction, type Target } from './actions.ts'
import { setEditing } from './facts/annotations.tsx'
import { FacetsPanel } from './filter/facets-panel.tsx'
import { FilterBar, type FilterBarHandle } from './filter/filter-bar.tsx'
import { searchedWords, setField, valuesOf } from './filter/query-text.ts'
import { useColumns } from './list/column-store.ts'
import { GradeBars } from './list/grade-bars.tsx'
import { Histogram, HistogramPlaceholder } from './list/histogram.tsx'
import { countNew, countSentence } from './list/list-pages.ts'
import { EmptyArchive, EmptyFilter } from './list/list-states.tsx'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { listedOf } from '#renderer/ui/lists/selection.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import { SessionsBar } from './list/sessions-bar.tsx'
import { ListSkeleton, TraceList } from './list/trace-list.tsx'
import { TracePane } from './open/trace-pane.tsx'
import { useFacets, useTraceList, useTracePlace, type ListPages } from './queries.ts'
import { filterOf, filterStateOf, formatUrl, parseUrl, type TracesUrl } from './url-state.ts'
import { useTracesUrl, type ChangeUrl } from './use-url.ts'
import { useWidth } from '#renderer/ui/use-width.ts'
import { rowsOf, useRows } from '#renderer/ui/lists/pages.ts'

/** Other screens and deep links use `/traces/<id>`; this screen keeps its state in the query, so it redirects there. */
export default function TracesPage() {
  const { id } = useParams<{ id?: string }>()
  if (id !== undefined) return <Redirect to={formatUrl({ ...parseUrl(location.search), id })} replace />
  return <Traces />
}

/** From this width, an open session shows its facts in a separate column. */
const FACTS_FROM_PX = 860
/** Below this width the list is narrower, so that an open session has enough space. */
const SLIM_PX = 720
/** Below this width the facets are closed while a session is open. */
const FACETS_FROM_PX = 1000

function Traces() {
  const [url, change] = useTracesUrl()
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area)
  const list = useTraceList(url)
  const facets = useFacets(url)
  const [isTyping, setTyping] = useState(false)
  const { rows: loadedRows, total, more } = useRows(list)
  const [previousRows, setNewest] = useState(loadedRows)
  if (loadedRows.length > 0 && previousRows !== loadedRows) setNewest(loadedRows)
  // a word that is still being typed may match nothing, so the previous rows stay
  const isWaiting = isTyping && loadedRows.length === 0 && previousRows.length > 0
  const rows = isWaiting ? previousRows : loadedRows
  const facetsOpen = useColumns((state) => state.facetsOpen) && (url.id === null || width >= FACETS_FROM_PX)
  const panels = [...(facetsOpen ? ['facets'] : []), 'list', ...(url.id === null ? [] : ['open'])]
  const filterBar = useRef<FilterBarHandle>(null)
  const openPx = width - listPx(width) - (facetsOpen ? 200 : 0)
  const close = useCallback(() => change({ id: null, item: null, tab: 'transcript' }), [change])
  const words = useMemo(() => searchedWords(url.q)[0] ?? '', [url.q])

  return (
    <div ref={area} className="flex min-h-0 flex-1 flex-col">
      <FilterBar
        ref={filterBar}
        url={url}
        onChange={change}
        facetsOpen={facetsOpen}
        onTyping={setTyping}
        onFacets={() => useColumns.setState({ facetsOpen: !facetsOpen })}
      />
      {/* initial widths are applied only once, so wait until the width is measured */}
      {width === 0 ? null : (
        <Split id="traces" panelIds={panels}>
          {facetsOpen ? (
            <>
              <Pane id="facets" defaultSize="200px" minSize="160px" maxSize="320px">
                <section aria-label="Facets" className="min-h-0 flex-1 overflow-y-auto">
                  <FacetsPanel
                    url={url}
                    onChange={change}
                    facets={facets.data}
                    error={facets.data ? null : facets.error}
                    onRetry={() => void facets.refetch()}
                  />
                </section>
              </Pane>
              <Handle label="Resize the facets" />
            </>
          ) : null}
          <Pane id="list" minSize={width < SLIM_PX ? '200px' : '280px'} defaultSize={url.id === null ? undefined : `${listPx(width)}px`}>
            <ListPane
              url={url}
              change={change}
              list={list}
              rows={rows}
              isWaiting={isWaiting}
              total={total}
              more={more}
              facets={facets}
              words={words}
              onFilter={() => filterBar.current?.focus()}
              onClose={close}
            />
          </Pane>
          {url.id === null ? null : (
            <>
              <Handle label="Resize the list" />
              <Pane id="open" minSize="420px">
                <TracePane
                  key={url.id}
                  id={url.id}
                  url={url}
                  onChange={change}
                  onClose={close}
                  words={words}
                  narrow={openPx < FACTS_FROM_PX}
                />
              </Pane>
            </>
          )}
        </Split>
      )}
    </div>
  )
}

/** Initial width of the list next to an open session; the splitter changes and stores it. */
const listPx = (width: number) => (width < SLIM_PX ? 200 : width < FACETS_FROM_PX ? 290 : 400)

/** A session further down than this is opened without its row, because loading the list up to it would take too long. */
const MAX_ROWS_FOR_LINK = 10_000

interface ListPaneProps {
  url: TracesUrl
  change: ChangeUrl
  list: ReturnType<typeof useTraceList>
  rows: readonly Trace[]
  /** Whether the rows are those of the previous filter. */
  isWaiting: boolean
  total: number
  more: () => void
  facets: ReturnType<typeof useFacets>
  /** The free text of the filter. */
  words: string
  onFilter: () => void
  onClose: () => void
}

/** The list with its histogram, selection, bulk bar and keys. */
function ListPane({ url, change, list, rows, isWaiting, total, more, facets, words, onFilter, onClose }: ListPaneProps) {
  const [, navigate] = useLocation()
  const actions = useTraceActions()
  const queries = useQueryClient()
  const handle = useRef<RowGridHandle>(null)
  const [currentId, setCurrentId] = useState<string | null>(url.id)
  // the histogram keeps all days while some are selected
  const selectedDays = useMemo(() => valuesOf(url.q, 'day'), [url.q])
  const histogramFacets = useFacets({ q: selectedDays.length === 0 ? url.q : setField(url.q, 'day', []) })
  const arrivedCount = useArrivals((state) => state.ids.size)
  const newCount = countNew(arrivedCount, facets.data?.total, list.isPlaceholderData ? undefined : total)
  const filter = filterStateOf(url)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  // a session opened by a link may be in a part of the list that is not loaded
  const openTrace = useTrace(url.id ?? '', url.id !== null)
  const current = rows.find(({ id }) => id === (url.id ?? currentId)) ?? (url.id === null ? null : (openTrace.data ?? null))
  const open = useCallback(
    (trace: Trace) => {
      setCurrentId(trace.id)
      change({ id: trace.id, item: null, tab: 'transcript' })
    },
    [change],
  )
  const { selection, select, clear, isAll, count, selectedIds, all, grid } = useListSelection({
    ids,
    total,
    filter: JSON.stringify(filterOf(url)),
    onOpen: open,
  })
  const [isTagging, setTagging] = useState(false)
  const { refetch } = list
  const showNew = useCallback(() => {
    clearArrivals()
    void refetch().then(() => handle.current?.show(0))
  }, [refetch])
  // an empty list has no row under the pointer that could move, so new sessions are shown at once
  const isEmpty = list.data !== undefined && rows.length === 0
  useEffect(() => {
    if (isEmpty && newCount > 0) showNew()
  }, [isEmpty, newCount, showNew])

  const isInTranscript = () => document.activeElement?.closest('[data-zone=transcript], [data-zone=diff]') != null
  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
    // an open session follows the list, as in a mail program
    if (url.id !== null) change({ id, item: null }, { replace: true })
  }
  const checks = useCheckTraces()
  const outcomes = useLookUpOutcomes()
  const selectionTarget = (): Target => (isAll ? { filter: filterOf(url) } : { ids: selectedIds })
  /** A bulk action may hide rows, so that the selection is no longer what the user selected; then it is cleared. */
  const bulk = async (act: BulkAction) => {
    await actions.bulk(selectionTarget(), act, count)
    const pages = queries.getQueryData<ListPages>(traceKeys.list({ ...filterOf(url), sort: url.sort }))?.pages ?? []
    const stillListed = listedOf(
      selection,
      rowsOf(pages).map(({ id }) => id),
    )
    if (isAll ? (pages.at(-1)?.total ?? 0) < count : stillListed !== selection) clear()
  }
  const setTier = (tier: Tier) => {
    if (count > 0) void bulk({ action: 'tier', tier })
    else if (current) void actions.setTier(current, tier)
  }
  const unset = () => {
    if (count > 0) void bulk({ action: 'unset-tier' })
    else if (current?.tierSource === 'user') void actions.unsetTier(current)
  }
  const annotate = (part: 'tags' | 'note') => {
    if (part === 'tags' && count > 0) return setTagging(true)
    if (!current) return
    if (url.id === null) open(current)
    else if (url.tab !== 'transcript' && url.tab !== 'facts') change({ tab: 'transcript' })
    setEditing(part)
  }
  useKeys({
    ...useRowKeys({ ids, currentId: current?.id ?? null, selection, goTo, select, isElsewhere: isInTranscript }),
    open: () => {
      if (isInTranscript() || !current) return false
      if (url.id === current.id) return false
      open(current)
      return true
    },
    back: () => {
      if (count > 0) clear()
      else if (url.id !== null) {
        setCurrentId(url.id)
        onClose()
        handle.current?.focus()
      } else return false
      return true
    },
    gold: () => setTier('gold'),
    silver: () => setTier('silver'),
    bronze: () => setTier('bronze'),
    failed: () => setTier('failed'),
    unset,
    undo: () => void actions.undo(),
    redo: () => void actions.redo(),
    tag: () => annotate('tags'),
    note: () => annotate('note'),
    filter: onFilter,
  })
  // scrolls to the session that a link or the palette opened
  const isFurtherDown = url.id !== null && list.hasNextPage && !list.isPlaceholderData && !ids.includes(url.id)
  const { data: place } = useTracePlace(url, isFurtherDown)
  const shownId = useRef<string | null>(null)
  useEffect(() => {
    if (url.id === shownId.current || list.data === undefined || list.isPlaceholderData) return
    const index = url.id === null ? -1 : ids.indexOf(url.id)
    if (index >= 0) handle.current?.show(index)
    else if (isFurtherDown && place === undefined) return // its place is still loading
    else if (isFurtherDown && place !== null && place !== undefined && place < MAX_ROWS_FOR_LINK) return more()
    shownId.current = url.id
  }, [url.id, list.data, list.isPlaceholderData, ids, isFurtherDown, place, more])
  const howMany = countSentence(total, filter, list.data?.pages.at(-1)?.totalIsLowerBound === true)
  useAnnounce(list.data && !list.isPlaceholderData && !isWaiting ? howMany : '')

  if (list.error && !list.data)
    return <ErrorState title="Couldn't load the sessions" error={list.error} retry={() => void list.refetch()} className="m-4" />
  if (!list.data) {
    return (
      <>
        {url.id === null ? <HistogramPlaceholder /> : null}
        <ListSkeleton />
      </>
    )
  }
  if (rows.length === 0 && !list.isFetching) {
    return filter === 'applied' ? <EmptyFilter words={url.q} onClear={() => change({ q: '' })} /> : <EmptyArchive />
  }
  // a list of one day has no histogram
  const mayHaveDays = list.hasNextPage || new Set(rows.map(({ startedAt }) => startedAt?.slice(0, 10))).size > 1
  return (
    <>
      {url.id === null && (histogramFacets.data || (histogramFacets.isPending && mayHaveDays)) ? (
        <Histogram
          days={histogramFacets.data?.days}
          chosen={selectedDays}
          onChoose={(days) => change({ q: setField(url.q, 'day', days === null ? [] : [days]) })}
        />
      ) : null}
      {url.id === null && histogramFacets.data?.grades ? (
        <GradeBars
          counts={histogramFacets.data.grades}
          chosen={valuesOf(url.q, 'grade')}
          onChoose={(range) => change({ q: setField(url.q, 'grade', range === null ? [] : [range]) })}
        />
      ) : null}
      {count > 0 ? (
        <SessionsBar
          count={count}
          all={all}
          onClear={clear}
          onTier={setTier}
          onUnset={unset}
          onCheck={() => checks.mutate(selectionTarget())}
          onLookUp={() => outcomes.mutate(selectionTarget())}
          onGrade={() => {
            if (!isAll) useChosenSessions.setState({ ids: selectedIds })
            navigate(gradeHref(isAll ? { q: url.q } : { from: 'selection' }))
          }}
          onMakeExamples={() => {
            if (isAll) return navigate(`/factory/examples/new?from=filter&q=${encodeURIComponent(url.q)}`)
            useChosenSessions.setState({ ids: selectedIds })
            navigate('/factory/examples/new?from=selection')
          }}
          onRunAgain={() => {
            if (!isAll) useChosenSessions.setState({ ids: selectedIds })
            navigate(newBatchHref(isAll ? { q: url.q } : { from: 'selection' }))
          }}
          onTrain={() => {
            if (!isAll) useChosenSessions.setState({ ids: selectedIds })
            navigate(trainHref(isAll ? { q: url.q } : { from: 'selection' }))
          }}
          isTagging={isTagging}
          onTagging={setTagging}
          onTag={(tag, add) => void bulk({ action: add ? 'add-tag' : 'remove-tag', tag })}
        />
      ) : null}
      {list.error ? (
        <ErrorState title="Couldn't refresh the list" error={list.error} retry={() => void list.refetch()} className="m-2" />
      ) : null}
      <TraceList
        {...grid}
        ref={handle}
        rows={rows}
        total={total}
        sort={url.sort}
        onSort={(sort) => change({ sort })}
        currentId={current?.id ?? null}
        openId={url.id}
        newCount={newCount}
        onNew={showNew}
        searchFilter={words === '' ? '' : url.q}
        stale={list.isPlaceholderData || isWaiting}
        onEnd={more}
      />
      <p className="border-t border-line px-4 py-1 text-xs text-second">
        {isWaiting ? '\u00a0' : howMany}
        {list.isFetchingNextPage ? ', loading more' : ''}
      </p>
    </>
  )
}
