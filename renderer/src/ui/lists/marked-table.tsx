import { GitCompare, Star } from 'lucide-react'
import { useEffect, useMemo, useRef, type ReactNode } from 'react'
import { Button, IconButton } from '../button.tsx'
import { Checkbox } from '../checkbox.tsx'
import { cn } from '../cn.ts'
import { fitColumns } from './fit-columns.ts'
import { plural } from '../format.ts'
import { useWidth } from '../use-width.ts'
import { VirtualList, type VirtualListHandle } from './virtual-list.tsx'

export interface MarkedColumn<Item> {
  id: string
  label: string
  /** px; the column `name` takes what is left and is never narrower. */
  width: number
  numeric?: boolean
  /** Where not all have room the highest goes first; null stays. */
  leaves: number | null
  cell: (item: Item) => ReactNode
}

/** Which rows are marked, and where the keys stand. */
export interface Marked {
  ids: readonly string[]
  currentId: string | null
  mark: (id: string) => void
}

/** Box, star, and the room at both ends. */
const BOXES_PX = 80

/** A grid of any length whose rows have a box to mark and a star, and whose columns go by the room there is. */
export function MarkedTable<Item extends { id: string; name: string }>({
  label,
  items,
  total,
  columns,
  marks,
  rowPx,
  star,
  barOf,
  onEnd,
}: {
  label: string
  items: readonly Item[]
  total: number
  columns: readonly MarkedColumn<Item>[]
  marks: Marked
  rowPx: number
  star: (item: Item) => ReactNode
  /** Class of the bar at the row's start, where there is one. */
  barOf?: (item: Item) => string
  onEnd: () => void
}) {
  const box = useRef<HTMLDivElement>(null)
  const rows = useRef<VirtualListHandle>(null)
  const width = useWidth(box)
  const shown = useMemo(() => fitColumns(columns, width - BOXES_PX), [columns, width])
  const current = items.findIndex(({ id }) => id === marks.currentId)
  useEffect(() => {
    if (current >= 0) rows.current?.scrollToIndex(current)
  }, [current])
  return (
    <div ref={box} className="flex min-h-0 flex-1 flex-col">
      <VirtualList
        ref={rows}
        items={items}
        total={total}
        estimate={rowPx}
        keyOf={({ id }) => id}
        label={label}
        role="rowgroup"
        rowRole="none"
        grid
        onEnd={onEnd}
        header={<Header columns={shown} />}
      >
        {(item, index) => {
          const isMarked = marks.ids.includes(item.id)
          return (
            <div
              role="row"
              aria-rowindex={index + 2}
              aria-selected={isMarked}
              className={cn(
                'relative flex h-full items-center border-b border-line px-2 text-sm',
                isMarked ? 'bg-accent/12' : 'hover:bg-raised/60',
                item.id === marks.currentId && 'outline-2 -outline-offset-2 outline-accent',
              )}
            >
              {barOf ? <span aria-hidden className={cn('absolute inset-y-0 left-0 w-1', barOf(item))} /> : null}
              <div role="gridcell" className="flex w-8 shrink-0 justify-center">
                <Checkbox label={`Select ${item.name}`} checked={isMarked} onChange={() => marks.mark(item.id)} />
              </div>
              <div role="gridcell" className="flex w-8 shrink-0 justify-center">
                {star(item)}
              </div>
              {shown.map((column) => (
                <div
                  key={column.id}
                  role="gridcell"
                  style={placeOf(column)}
                  className={cn(classOf(column), column.numeric && 'font-mono text-xs whitespace-nowrap')}
                >
                  {column.cell(item)}
                </div>
              ))}
            </div>
          )
        }}
      </VirtualList>
    </div>
  )
}

type Placed = Pick<MarkedColumn<never>, 'id' | 'width' | 'numeric'>
const placeOf = ({ id, width }: Placed) => (id === 'name' ? { minWidth: width } : { width })
const classOf = ({ id, numeric }: Placed) => cn('min-w-0 px-2', id === 'name' ? 'flex-1' : 'shrink-0', numeric && 'text-right')

const Header = ({ columns }: { columns: readonly (Placed & { label: string })[] }) => (
  <div role="rowgroup" className="sticky top-0 z-10 bg-bg">
    <div role="row" aria-rowindex={1} className="flex h-8 items-center border-b border-line px-2 text-xs text-second">
      <span role="columnheader" aria-label="Selected" className="w-8 shrink-0" />
      <span role="columnheader" aria-label="Star" className="w-8 shrink-0" />
      {columns.map((column) => (
        <span key={column.id} role="columnheader" style={placeOf(column)} className={classOf(column)}>
          {column.label}
        </span>
      ))}
    </div>
  </div>
)

const StarFull = (props: { size?: number; className?: string; 'aria-hidden'?: boolean }) => <Star {...props} fill="currentColor" />

export const StarButton = ({
  of: { name, starred },
  reason,
  onStar,
}: {
  of: { name: string; starred: boolean }
  reason: string | null
  onStar: () => void
}) => (
  <IconButton
    size="small"
    icon={starred ? StarFull : Star}
    label={starred ? `Unstar ${name}` : `Star ${name}`}
    aria-pressed={starred}
    reason={reason}
    className={starred ? 'text-accent' : 'text-second'}
    onClick={onStar}
  />
)

/** How many are marked, and what can be done with them; nothing where none is. */
export function MarkedBar({
  noun,
  count,
  most,
  keys,
  onClear,
  onCompare,
}: {
  /** "run" */
  noun: string
  count: number
  /** So many can be compared at once. */
  most: number
  /** Key of the comparison, as printed. */
  keys: string
  onClear: () => void
  onCompare: () => void
}) {
  if (count === 0) return null
  return (
    <div
      role="toolbar"
      aria-label={`Selected ${noun}s`}
      className="flex items-center gap-3 border-t border-line bg-panel px-6 py-2 text-sm"
    >
      <span className="flex-1">
        {plural(count, noun)} selected{count === most ? ' (maximum for comparing)' : ''}
      </span>
      <Button look="quiet" onClick={onClear}>
        Deselect all
      </Button>
      <Button icon={GitCompare} keys={keys} reason={count < 2 ? `Select a second ${noun} first.` : null} onClick={onCompare}>
        Compare
      </Button>
    </div>
  )
}
