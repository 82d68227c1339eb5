import { Archive, Star } from 'lucide-react'
import { useMemo, useRef } from 'react'
import type { Model } from '#contracts/entities/model.ts'
import { modelHref } from '#renderer/app/links.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { useMarks } from '#renderer/app/use-marks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { TextInput } from '#renderer/ui/field.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'
import { ButtonLink } from '#renderer/ui/link.tsx'
import { MarkedBar } from '#renderer/ui/lists/marked-table.tsx'
import { useTitle } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { useSearchState, type ChangeSearch } from '#renderer/ui/use-search.ts'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { useModels } from '../queries.ts'
import { Cards } from './cards.tsx'
import { MOST_COMPARED, readFilter, VIEWS, viewOf } from './filter.ts'
import { FirstModel } from './first-model.tsx'
import { Leaderboard } from './leaderboard.tsx'
import { ModelTable } from './table.tsx'

const ANY = '*'
const NO_FILTER = { q: null, tag: null, starred: null, archived: null }

/** All models, newest first: as cards, as a list, or by one figure. */
export function ModelList() {
  useTitle('Models')
  const [search, change] = useSearchState()
  const filter = useMemo(() => readFilter(search), [search])
  const view = viewOf(search)
  const list = useModels(filter)
  const { rows: models, total, more } = useRows(list)
  const marks = useMarks(models, {
    most: MOST_COMPARED,
    hrefOf: modelHref,
    compareHref: (ids) => `/models/compare?ids=${ids.join(',')}`,
  })
  const isFiltered = Object.keys(filter).length > 0
  const isNone = list.data !== undefined && models.length === 0
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2 px-6 pt-5 pb-3">
        <div className="min-w-60 flex-1">
          <h1 className="text-xl font-semibold">Models</h1>
          <p className="text-sm text-second">Each completed run adds a model here, with its data, figures and exports.</p>
        </div>
        {isNone && !isFiltered ? null : <ButtonLink href="/training/new">New run</ButtonLink>}
      </header>
      {isNone && !isFiltered ? null : (
        <Filters
          search={search}
          change={change}
          models={models}
          total={list.data ? total : null}
          diskBytes={list.data?.pages[0]?.diskBytes ?? null}
        />
      )}
      {list.error && !list.data ? (
        <ErrorState className="m-6" title="Couldn't load the models" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.isPending ? <ListSkeleton /> : null}
      {isNone ? (
        isFiltered ? (
          <EmptyState title="No matching models" action={<Button onClick={() => change(NO_FILTER)}>Show all models</Button>}>
            No model matches all the filters.
          </EmptyState>
        ) : (
          <FirstModel onArchived={() => change({ archived: '1' })} />
        )
      ) : null}
      {models.length > 0 ? (
        <>
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
        </>
      ) : null}
      <MarkedBar
        noun="model"
        count={marks.ids.length}
        most={MOST_COMPARED}
        keys={keyOf('compareMarked')}
        onClear={marks.clear}
        onCompare={marks.compare}
      />
    </div>
  )
}

function Filters({
  search,
  change,
  models,
  total,
  diskBytes,
}: {
  search: URLSearchParams
  change: ChangeSearch
  models: readonly Model[]
  total: number | null
  diskBytes: number | null
}) {
  const input = useRef<HTMLInputElement>(null)
  useKeys({ filter: () => input.current?.focus() })
  const tag = search.get('tag')
  const tags = [...new Set([...models.flatMap((model) => model.tags), ...(tag ? [tag] : [])])].toSorted()
  const toggle = (name: 'starred' | 'archived') => change({ [name]: search.get(name) === '1' ? null : '1' })
  const pressed = (name: 'starred' | 'archived') => search.get(name) === '1'
  return (
    <div className="flex flex-wrap items-center gap-2 border-b border-line px-6 py-2">
      <TextInput
        ref={input}
        type="search"
        aria-label="Search models"
        placeholder="Name, base, data set, tag, note"
        className="w-64 max-w-full"
        value={search.get('q') ?? ''}
        onChange={(q) => change({ q }, { replace: true })}
      />
      {tags.length > 0 ? (
        <Select
          label="Tag"
          value={tag ?? ANY}
          options={[{ value: ANY, label: 'Any tag' }, ...tags.map((value) => ({ value, label: value }))]}
          onChange={(value) => change({ tag: value === ANY ? null : value })}
        />
      ) : null}
      {(
        [
          ['starred', 'Starred', Star],
          ['archived', 'Archived', Archive],
        ] as const
      ).map(([name, label, icon]) => (
        <Button
          key={name}
          icon={icon}
          aria-pressed={pressed(name)}
          className={cn(pressed(name) && 'border-accent! text-accent')}
          onClick={() => toggle(name)}
        >
          {label}
        </Button>
      ))}
      <div className="ml-auto flex items-center gap-3">
        <span className="text-xs whitespace-nowrap text-second">
          {total === null ? '' : `${plural(total, 'model')} · ${formatBytes(diskBytes)} on disk in total`}
        </span>
        <Segmented
          label="View"
          value={viewOf(search)}
          options={VIEWS}
          onChange={(view) => change({ view: view === 'cards' ? null : view })}
        />
      </div>
    </div>
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
