import { X } from 'lucide-react'
import { useRef } from 'react'
import { BalanceBy, SplitName, type Dataset, type DatasetRow } from '#contracts/entities/dataset.ts'
import { traceHref } from '#renderer/app/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Select } from '#renderer/ui/select.tsx'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { EmptyState, ErrorState } from '#renderer/ui/states.tsx'
import { RowsSkeleton } from '../../skeletons.tsx'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/lists/virtual-list.tsx'
import { RowPreview } from '../../preview/row-preview.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { usePages } from '#renderer/ui/lists/pages.ts'
import { useRows } from '../queries.ts'
import { BALANCE_WORDS, SPLIT_WORDS } from '../words.ts'
import { promptOf } from './prompt-of.ts'

const ALL = '*'

/** The rows of a version; the open one with its origin and the model's input. */
export function VersionRows({ dataset }: { dataset: Dataset }) {
  const [search, change] = useSearchState()
  const split = SplitName.safeParse(search.get('split'))
  const traceId = search.get('trace')
  const open = /^\d{1,9}$/.test(search.get('row') ?? '') ? Number(search.get('row')) : null
  const by = BalanceBy.safeParse(search.get('by'))
  const group = by.success ? search.get('group') : null
  const list = useRows(dataset.id, {
    ...(split.success && { split: split.data }),
    ...(traceId && { traceId }),
    ...(by.success && group !== null && { by: by.data, group }),
  })
  const { rows, total, more } = usePages(list)
  const isFiltered = split.success || traceId !== null || group !== null
  const handle = useRef<VirtualListHandle>(null)
  const openAt = rows.findIndex(({ index }) => index === open)
  const showRow = (row: DatasetRow | undefined) => {
    if (!row) return
    change({ row: String(row.index) }, { replace: open !== null })
    handle.current?.scrollToIndex(rows.indexOf(row))
  }
  useKeys({
    next: () => showRow(rows[Math.min(openAt + 1, rows.length - 1)]),
    previous: () => showRow(rows[Math.max(openAt - 1, 0)]),
    back: () => {
      if (open === null) return false
      change({ row: null })
      return true
    },
  })
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div className="flex flex-wrap items-center gap-3 border-b border-line px-6 py-2 text-sm">
        <Select
          label="Split"
          value={split.success ? split.data : ALL}
          options={[{ value: ALL, label: 'All splits' }, ...SplitName.options.map((value) => ({ value, label: SPLIT_WORDS[value] }))]}
          onChange={(value) => change({ split: value === ALL ? null : value, row: null })}
        />
        {by.success && group !== null ? (
          <Button size="small" icon={X} onClick={() => change({ by: null, group: null, row: null })}>
            {BALANCE_WORDS[by.data]}: {group}
          </Button>
        ) : null}
        {traceId ? (
          <Button size="small" icon={X} onClick={() => change({ trace: null, row: null })}>
            One session
          </Button>
        ) : null}
        <span role="status" className="text-second">
          {list.data ? plural(total, 'row') : ''}
        </span>
      </div>
      {list.error && !list.data ? (
        <ErrorState title="Couldn't load the rows" error={list.error} retry={() => void list.refetch()} className="m-4" />
      ) : !list.data ? (
        <RowsSkeleton label="Loading rows" rowPx={52} isTwoLines />
      ) : rows.length === 0 ? (
        <EmptyState title="No rows">
          {isFiltered ? 'No row of this version matches these filters.' : 'Everything was excluded. The overview shows where and why.'}
        </EmptyState>
      ) : (
        <Split id="dataset-rows" panelIds={open === null ? ['list'] : ['list', 'open']}>
          <Pane id="list" minSize="240px" defaultSize={open === null ? undefined : '38%'}>
            <VirtualList
              ref={handle}
              items={rows}
              total={total}
              estimate={52}
              keyOf={({ index }) => String(index)}
              label="Rows"
              onEnd={more}
            >
              {(row) => (
                <RowLine
                  row={row}
                  isOpen={row.index === open}
                  onOpen={() => change({ row: String(row.index) }, { replace: open !== null })}
                />
              )}
            </VirtualList>
          </Pane>
          {open === null ? null : (
            <>
              <Handle label="Resize the list" />
              <Pane id="open" minSize="320px">
                <OpenRow dataset={dataset} index={open} row={rows[openAt]} onClose={() => change({ row: null })} />
              </Pane>
            </>
          )}
        </Split>
      )}
    </div>
  )
}

const RowLine = ({ row, isOpen, onOpen }: { row: DatasetRow; isOpen: boolean; onOpen: () => void }) => (
  <button
    type="button"
    aria-current={isOpen || undefined}
    onClick={onOpen}
    className={cn(
      'focus-inset flex h-[52px] w-full flex-col justify-center gap-0.5 border-b border-line px-6 text-left text-sm hover:bg-raised',
      isOpen && 'bg-raised shadow-[inset_3px_0_0_var(--accent)]',
    )}
  >
    <span className="w-full truncate">
      <Visible text={promptOf(row.row)} />
    </span>
    <span className="text-xs text-second">
      Row {row.index} · {SPLIT_WORDS[row.split].toLowerCase()} · {row.traceId === null ? 'imported' : plural(row.stepIds.length, 'step')}
    </span>
  </button>
)

function OpenRow({ dataset, index, row, onClose }: { dataset: Dataset; index: number; row: DatasetRow | undefined; onClose: () => void }) {
  return (
    <div className="min-h-0 flex-1 overflow-y-auto">
      <div className="flex flex-col gap-3 p-4">
        <div className="flex items-start gap-3">
          <div className="min-w-0 flex-1">
            <h2 className="text-lg font-semibold">Row {index}</h2>
            {row ? <Origin row={row} /> : null}
          </div>
          <IconButton label="Close" icon={X} keys="Esc" onClick={onClose} />
        </div>
        <RowPreview key={index} row={{ dataset: dataset.id, index }} />
      </div>
    </div>
  )
}

/** Links to the row's session, and to its first and last step. */
function Origin({ row }: { row: DatasetRow }) {
  if (row.traceId === null) return <p className="text-sm text-second">Imported row.</p>
  const [first] = row.stepIds
  const last = row.stepIds.at(-1)
  const stepHref = (step: string) => `${traceHref(row.traceId ?? '')}&item=${encodeURIComponent(step)}`
  return (
    <p className="flex flex-wrap gap-x-3 text-sm">
      <TextLink href={traceHref(row.traceId)}>Open session</TextLink>
      {first ? <TextLink href={stepHref(first)}>First step</TextLink> : null}
      {last && last !== first ? <TextLink href={stepHref(last)}>Last of {row.stepIds.length} steps</TextLink> : null}
    </p>
  )
}
