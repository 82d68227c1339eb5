import { Archive, Star } from 'lucide-react'
import { useMemo } from 'react'
import { FilterBar, FilterToggle } from '#renderer/app/filter-bar.tsx'
import { keyOf } from '#renderer/app/keymap.ts'
import { modelHref } from '#renderer/app/links.ts'
import { ListPage } from '#renderer/app/list-page.tsx'
import { useMarks } from '#renderer/app/use-marks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { MarkedBar } from '#renderer/ui/lists/marked-table.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { FilterSelect } from '#renderer/ui/select.tsx'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { useModels } from '../queries.ts'
import { Cards } from './cards.tsx'
import { MAX_COMPARED, readFilter, VIEWS, viewOf } from './filter.ts'
import { FirstModel } from './first-model.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { ModelTable } from './table.tsx'

/** All models: as cards or a list, newest first, or sorted by one figure. */
export function ModelList() {
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const view = viewOf(search)
  const list = useModels(filter)
  const { rows: models, total, more } = useRows(list)
  const marks = useMarks(models, {
    most: MAX_COMPARED,
    hrefOf: modelHref,
    compareHref: (ids) => `/models/compare?ids=${ids.join(',')}`,
  })
  const tag = search.get('tag')
  const tags = [...new Set([...models.flatMap((model) => model.tags), ...(tag ? [tag] : [])])].toSorted()
  const diskBytes = list.data?.pages[0]?.diskBytes ?? null
  return (
    <>
      <ListPage
        title="Models"
        summary="Each completed run adds a model here, with its data, figures and exports."
        noun="model"
        list={list}
        count={models.length}
        isFiltered={Object.keys(filter).length > 0}
        onShowAll={() => change({ q: null, tag: null, starred: null, archived: null })}
        actions={(isEmpty) => (isEmpty ? null : <ButtonLink href="/training/new">New run</ButtonLink>)}
        filters={
          <FilterBar
            label="Search models"
            placeholder="Name, base, data set, tag, note"
            search={search}
            change={change}
            end={
              <div className="flex items-center gap-3">
                <span className="text-xs whitespace-nowrap text-second">
                  {list.data ? `${plural(total, 'model')} · ${formatBytes(diskBytes)} on disk in total` : ''}
                </span>
                <Segmented
                  label="View"
                  value={view}
                  options={VIEWS}
                  onChange={(next) => change({ view: next === 'cards' ? null : next })}
                />
              </div>
            }
          >
            {tags.length > 0 ? (
              <FilterSelect
                label="Tag"
                any="Any tag"
                value={tag}
                options={tags.map((value) => ({ value, label: value }))}
                onChange={(value) => change({ tag: value })}
              />
            ) : null}
            <FilterToggle name="starred" label="Starred" icon={Star} search={search} change={change} />
            <FilterToggle name="archived" label="Archived" icon={Archive} search={search} change={change} />
          </FilterBar>
        }
        first={<FirstModel onArchived={() => change({ archived: '1' })} />}
        skeleton={<ListSkeleton />}
      >
        {view === 'cards' ? <Cards models={models} marks={marks} /> : null}
        {view === 'list' ? <ModelTable models={models} total={total} marks={marks} onEnd={more} /> : null}
        {view === 'leaderboard' ? <Leaderboard models={models} by={search.get('by')} change={change} marks={marks} /> : null}
        {list.hasNextPage && view !== 'list' ? (
          <div className="border-t border-line px-6 py-2">
            <Button busy={list.isFetchingNextPage} onClick={more}>
              Show older models
            </Button>
          </div>
        ) : null}
      </ListPage>
      <MarkedBar noun="model" most={MAX_COMPARED} keys={keyOf('compareMarked')} marks={marks} />
    </>
  )
}

const ListSkeleton = () => (
  <Loading
    label="Loading the models"
    className="grid min-h-0 flex-1 auto-rows-min grid-cols-[repeat(auto-fill,minmax(300px,1fr))] gap-3 overflow-hidden px-6 py-4"
  >
    {Array.from({ length: 6 }, (_, index) => (
      // oxlint-disable-next-line react/no-array-index-key -- all alike
      <div key={index} className="flex flex-col gap-3 rounded border border-line p-3">
        <Skeleton className="h-5 w-40" />
        <Skeleton className="w-52" />
        <Skeleton className="h-24 w-full" />
        <Skeleton className="w-32" />
      </div>
    ))}
  </Loading>
)
