import type { ReactNode } from 'react'
import { Button } from '#renderer/ui/button.tsx'
import { GridSkeleton } from '#renderer/ui/lists/row-grid-parts.tsx'
import { PageHead, useTitle } from '#renderer/ui/page.tsx'
import { EmptyState, ErrorState, Skeleton } from '#renderer/ui/states.tsx'

/** A page that is one long list: heading, filters, and the list in whichever state it is. */
export function ListPage({
  title,
  summary,
  noun,
  list,
  count,
  isFiltered,
  onShowAll,
  actions,
  top,
  filters,
  aside,
  first,
  skeleton,
  children,
}: {
  title: string
  summary: string
  /** One row: "run". */
  noun: string
  list: { data: unknown; error: unknown; isPending: boolean; refetch: () => unknown }
  /** Number of loaded rows. */
  count: number
  isFiltered: boolean
  /** Clears all filters. */
  onShowAll: () => void
  /** `isEmpty`: there are no rows at all, so `first` is shown. */
  actions: (isEmpty: boolean) => ReactNode
  /** Between the heading and the filters. */
  top?: ReactNode
  filters: ReactNode
  /** Left of the list. */
  aside?: ReactNode
  /** Shown instead of an empty list that is not filtered. */
  first: ReactNode
  skeleton?: ReactNode
  children: ReactNode
}) {
  useTitle(title)
  const hasNone = list.data !== undefined && count === 0
  const isEmpty = hasNone && !isFiltered
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <PageHead heading={title} summary={summary} actions={actions(isEmpty)} />
      {top}
      {isEmpty ? (
        first
      ) : (
        <>
          {filters}
          <div className="flex min-h-0 flex-1">
            {aside}
            <div className="flex min-h-0 min-w-0 flex-1 flex-col">
              {list.error && !list.data ? (
                <ErrorState className="m-6" title={`Couldn't load the ${noun}s`} error={list.error} retry={() => void list.refetch()} />
              ) : null}
              {list.isPending ? (skeleton ?? <ListSkeleton label={`Loading the ${noun}s`} />) : null}
              {hasNone ? (
                <EmptyState title={`No matching ${noun}s`} action={<Button onClick={onShowAll}>Show all {noun}s</Button>}>
                  No {noun} matches all the filters.
                </EmptyState>
              ) : null}
              {count > 0 ? children : null}
            </div>
          </div>
        </>
      )}
    </div>
  )
}

const ListSkeleton = ({ label }: { label: string }) => (
  <GridSkeleton label={label}>
    <Skeleton className="w-24" />
    <Skeleton className="flex-1" />
    <Skeleton className="w-32" />
  </GridSkeleton>
)
