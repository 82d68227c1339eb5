import { useCallback, useMemo, useRef, useState } from 'react'
import type { Example, ReviewState } from '#contracts/entities/example.ts'
import { useRunningJob } from '#renderer/api/jobs.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { JobProgress } from '#renderer/app/job-progress.tsx'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import type { RowGridHandle } from '#renderer/ui/lists/row-grid-types.ts'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { useWidth } from '#renderer/ui/use-width.ts'
import { ReviewBar } from '../review-bar.tsx'
import { undoNewest } from '../undo.ts'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { useExampleActions } from './actions.ts'
import { Filters, HeadActions } from './filters.tsx'
import { ExampleList, ListSkeleton } from './list.tsx'
import { OpenExample } from './open-example.tsx'
import { Pictures } from './pictures.tsx'
import { useExampleFacets, useExampleList } from './queries.ts'
import { NO_FILTER, readUrl } from './url.ts'

const LIST_PX = 420

/** A list of examples with filters and charts, and the open example next to it. Everything works by keyboard. */
export function Review() {
  useTitle('Examples')
  const [search, change] = useSearchState()
  const url = useMemo(() => readUrl(search), [search])
  const facets = useExampleFacets(url.filter)
  const field = useRef<HTMLInputElement>(null)
  const area = useRef<HTMLDivElement>(null)
  const width = useWidth(area)
  const view = useList(url, change, field)
  const job = useRunningJob('examples')
  const isFiltered = Object.keys(url.filter).length > 0
  const isEmpty = !isFiltered && url.id === null && view.list.data !== undefined && view.rows.length === 0
  return (
    <div ref={area} className="flex min-h-0 flex-1 flex-col">
      <PageHead heading="Examples" actions={isEmpty ? null : <HeadActions filter={url.filter} />} />
      {isEmpty ? null : <Filters url={url} facets={facets.data} onChange={change} fieldRef={field} />}
      {job ? (
        <div className="border-b border-line px-4 py-2">
          <JobProgress name="Making examples" job={job} />
        </div>
      ) : null}
      {width === 0 ? null : (
        <Split id="examples" panelIds={url.id === null ? ['list'] : ['list', 'open']}>
          <Pane id="list" minSize="280px" defaultSize={url.id === null ? undefined : `${LIST_PX}px`}>
            {facets.error && !facets.data ? (
              <ErrorState title="Couldn't load the counts" error={facets.error} retry={() => void facets.refetch()} className="m-4" />
            ) : url.id === null && (view.rows.length > 0 || !view.list.data) ? (
              <Pictures url={url} facets={facets.data} onChange={change} />
            ) : null}
            {view.count > 0 ? (
              <ReviewBar noun="examples" count={view.count} all={view.all} onReview={view.review} onClear={view.clear} />
            ) : null}
            {view.list.error ? (
              <ErrorState
                title="Couldn't load the examples"
                error={view.list.error}
                retry={() => void view.list.refetch()}
                className="m-4"
              />
            ) : null}
            {view.list.error ? null : !view.list.data ? (
              <ListSkeleton />
            ) : view.rows.length === 0 ? (
              isFiltered ? (
                <NoMatch onClear={() => change(NO_FILTER)} />
              ) : (
                <NoExamples />
              )
            ) : (
              <ExampleList {...view.listProps} />
            )}
            {view.list.data && view.rows.length > 0 ? (
              <p className="border-t border-line px-4 py-1 text-xs text-second">{view.sentence}</p>
            ) : null}
          </Pane>
          {url.id === null ? null : (
            <>
              <Handle label="Resize the list" />
              <Pane id="open" minSize="380px">
                <OpenExample key={url.id} id={url.id} onReview={view.reviewOpen} onClose={view.close} />
              </Pane>
            </>
          )}
        </Split>
      )}
    </div>
  )
}

type Url = ReturnType<typeof readUrl>
type Change = ReturnType<typeof useSearchState>[1]

/** The rows, the current one, the selection and the keys. */
function useList(url: Url, change: Change, field: React.RefObject<HTMLInputElement | null>) {
  const list = useExampleList(url.filter, url.sort)
  const actions = useExampleActions()
  const handle = useRef<RowGridHandle>(null)
  const { rows, total, more } = useRows(list)
  const ids = useMemo(() => rows.map(({ id }) => id), [rows])
  const [lastId, setLastId] = useState<string | null>(url.id)
  const currentId = url.id ?? lastId
  const { selection, select, clear, isAll, count, selectedIds, all, grid } = useListSelection({
    ids,
    total,
    filter: JSON.stringify(url.filter),
    onOpen: useCallback(
      ({ id }: Example) => {
        setLastId(id)
        change({ id })
      },
      [change],
    ),
  })

  const isFocusInChat = () => document.activeElement?.closest('[data-zone=chat]') != null
  const goTo = (id: string | undefined, { open = url.id !== null } = {}) => {
    if (id === undefined) return
    setLastId(id)
    handle.current?.show(ids.indexOf(id))
    if (open) change({ id }, { replace: url.id !== null })
  }
  /** Reviews an example, then goes to the next one. */
  const reviewOne = (id: string, state: ReviewState) => {
    const at = ids.indexOf(id)
    const next = state === 'proposed' ? undefined : (ids[at + 1] ?? undefined)
    void actions.review({ ids: [id] }, state, [id], 1)
    goTo(next)
  }
  const review = (state: ReviewState) => {
    if (count > 0) {
      void actions.review(isAll ? { filter: url.filter } : { ids: selectedIds }, state, selectedIds, count)
      clear()
    } else if (currentId !== null) reviewOne(currentId, state)
  }
  const close = () => {
    setLastId(url.id)
    change({ id: null })
    handle.current?.focus()
  }
  useKeys({
    ...useRowKeys({ ids, currentId, selection, goTo, select, isElsewhere: isFocusInChat }),
    open: () => {
      if (isFocusInChat() || currentId === null || url.id === currentId) return false
      goTo(currentId, { open: true })
      return true
    },
    peek: () => {
      if (url.id !== null) return isFocusInChat() ? false : close()
      goTo(currentId ?? ids[0], { open: true })
      return true
    },
    back: () => {
      if (count > 0) clear()
      else if (url.id !== null) close()
      else return false
      return true
    },
    accept: () => review('accepted'),
    reject: () => review('rejected'),
    undo: () => void undoNewest(),
    filter: () => field.current?.focus(),
  })
  const sentence = `${plural(total, 'example')}${Object.keys(url.filter).length > 0 ? (total === 1 ? ' matches' : ' match') : ''}`
  useAnnounce(list.data && !list.isPlaceholderData ? sentence : '')
  return {
    list,
    rows,
    sentence,
    count,
    all,
    clear,
    review,
    reviewOpen: (state: ReviewState) => url.id !== null && reviewOne(url.id, state),
    close,
    listProps: {
      ...grid,
      ref: handle,
      rows,
      total,
      sort: url.sort,
      onSort: (sort: Url['sort']) => change({ sort: sort === '-createdAt' ? null : sort }),
      currentId,
      openId: url.id,
      stale: list.isPlaceholderData,
      onEnd: more,
    },
  }
}

const NoExamples = () => (
  <EmptyState
    title="No examples yet"
    action={
      <ButtonLink href="/factory/examples/new" look="primary">
        Make examples
      </ButtonLink>
    }
  >
    An example is one task from a session as a chat: the prompt, the tool calls and their results. Data sets are built from these examples;
    the ones you reject are left out.
  </EmptyState>
)

const NoMatch = ({ onClear }: { onClear: () => void }) => (
  <EmptyState
    title="No matching examples"
    action={
      <Button look="primary" onClick={onClear}>
        Clear filters
      </Button>
    }
  >
    No example matches these filters.
  </EmptyState>
)
