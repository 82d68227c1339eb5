import { useCallback, useMemo, useRef, useState, type ReactNode } from 'react'
import { useLocation } from 'wouter'
import { useRowPx } from '#renderer/stores/theme.ts'
import { type CellColumn, useCellColumns } from '#renderer/ui/lists/cell-columns.ts'
import type { RowGridHandle, RowGridProps } from '#renderer/ui/lists/row-grid-types.ts'
import { RowGrid } from '#renderer/ui/lists/row-grid.tsx'
import { useRowKeys } from '#renderer/ui/lists/row-keys.ts'
import { useListSelection } from '#renderer/ui/lists/use-list-selection.ts'
import { useKeys } from './use-keys.ts'

type Listed<Row extends { id: string }> = Pick<
  RowGridProps<Row, CellColumn<Row>>,
  'label' | 'rows' | 'total' | 'stale' | 'onEnd' | 'nameOf' | 'barOf'
>

/** A grid whose rows open a page, and can be selected for what is done to several at once. */
export function SelectableGrid<Row extends { id: string }>({
  columns,
  filter,
  hrefOf,
  bar,
  ...listed
}: Listed<Row> & {
  /** Must stay the same list. */
  columns: readonly CellColumn<Row>[]
  /** Under another filter nothing is selected. */
  filter: object
  /** Must stay the same function. */
  hrefOf: (id: string) => string
  /** Shown above the grid while rows are selected. */
  bar: (selected: Omit<ReturnType<typeof useListSelection<Row>>, 'grid' | 'selection' | 'select'>) => ReactNode
}) {
  const [, go] = useLocation()
  const rowPx = useRowPx()
  const handle = useRef<RowGridHandle>(null)
  const [currentId, setCurrentId] = useState<string | null>(null)
  const ids = useMemo(() => listed.rows.map(({ id }) => id), [listed.rows])
  const { selection, select, grid, ...selected } = useListSelection({
    ids,
    total: listed.total,
    filter: JSON.stringify(filter),
    onOpen: useCallback(({ id }: Row) => go(hrefOf(id)), [go, hrefOf]),
  })
  const current = currentId !== null && ids.includes(currentId) ? currentId : null
  const goTo = (id: string) => {
    setCurrentId(id)
    handle.current?.show(ids.indexOf(id))
  }
  useKeys({
    ...useRowKeys({ ids, currentId: current, selection, goTo, select }),
    open: () => (current === null ? false : go(hrefOf(current))),
    back: () => (selected.count > 0 ? selected.clear() : false),
  })
  return (
    <>
      {selected.count > 0 ? bar(selected) : null}
      <RowGrid
        {...listed}
        {...grid}
        {...useCellColumns(columns)}
        ref={handle}
        currentId={current}
        openId={null}
        sort={null}
        rowPx={rowPx}
      />
    </>
  )
}
