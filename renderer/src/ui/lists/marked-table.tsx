import { GitCompare, Star } from 'lucide-react'
import { useCallback, useEffect, useMemo, useRef, type ReactNode } from 'react'
import { Button, IconButton } from '../button.tsx'
import { plural } from '../format.ts'
import { type CellColumn, useCellColumns } from './cell-columns.ts'
import type { RowGridHandle, RowGridProps } from './row-grid-types.ts'
import { RowGrid } from './row-grid.tsx'

/** Which rows are marked, and the row that keys act on. */
interface Marked {
  ids: readonly string[]
  currentId: string | null
  mark: (id: string) => void
}

/** A grid whose rows are marked one by one for a comparison, without a box that selects all. */
export function MarkedTable<Item extends { id: string; name: string }>({
  columns,
  marks: { ids, currentId, mark },
  ...list
}: Pick<RowGridProps<Item, CellColumn<Item>>, 'label' | 'rows' | 'total' | 'rowPx' | 'barOf' | 'onEnd'> & {
  /** Must stay the same list. */
  columns: readonly CellColumn<Item>[]
  marks: Marked
}) {
  const grid = useRef<RowGridHandle>(null)
  const current = list.rows.findIndex(({ id }) => id === currentId)
  useEffect(() => {
    if (current >= 0) grid.current?.show(current)
  }, [current])
  return (
    <RowGrid
      {...list}
      ref={grid}
      currentId={currentId}
      openId={null}
      selection={useMemo(() => ({ kind: 'ids', ids: new Set(ids), anchor: null }), [ids])}
      sort={null}
      stale={false}
      onPress={doNothing}
      onToggle={useCallback(({ id }: Item) => mark(id), [mark])}
      {...useCellColumns(columns)}
      nameOf={nameOf}
    />
  )
}
const doNothing = () => undefined
const nameOf = ({ name }: { name: string }): string => name

/** A column as wide as one star. */
export const starColumn = <Item,>(star: (item: Item) => ReactNode): CellColumn<Item> => ({
  id: 'star',
  label: 'Star',
  width: 36,
  leaves: null,
  cell: (item) => <span className="-mx-2 flex justify-center">{star(item)}</span>,
})

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

/** How many rows are marked, and what can be done with them. Hidden while none is. */
export function MarkedBar({
  noun,
  most,
  keys,
  marks: { ids, clear, compare },
}: {
  /** "run" */
  noun: string
  /** The maximum that can be compared at once. */
  most: number
  /** Key that compares. */
  keys: string
  marks: { ids: readonly string[]; clear: () => void; compare: () => void }
}) {
  const count = ids.length
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
      <Button look="quiet" onClick={clear}>
        Deselect all
      </Button>
      <Button icon={GitCompare} keys={keys} reason={count < 2 ? `Select a second ${noun} first.` : null} onClick={compare}>
        Compare
      </Button>
    </div>
  )
}
