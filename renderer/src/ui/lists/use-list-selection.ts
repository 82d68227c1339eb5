import { useCallback, useMemo, type MouseEvent } from 'react'
import { extendTo, isSelected, listedOf, NOTHING, selectAll, sizeOf, toggle } from './selection.ts'
import { useSelection } from './use-selection.ts'

/**
 * Which rows of a list are selected, and what clicks, checkboxes and the bar do to that. `ids`: the loaded rows, in
 * order; `total`: how many match the filter; `onOpen`: a plain click, must stay the same function.
 */
export function useListSelection<Row extends { id: string }>({
  ids,
  total,
  filter,
  onOpen,
}: {
  ids: readonly string[]
  total: number
  filter: string
  onOpen: (row: Row) => void
}) {
  const [chosen, select] = useSelection(filter)
  const selection = useMemo(() => listedOf(chosen, ids), [chosen, ids])
  const onPress = useCallback(
    (row: Row, event: MouseEvent) => {
      if (event.shiftKey) select((before) => extendTo(before, row.id, ids))
      else if (event.ctrlKey || event.metaKey) select((before) => toggle(before, row.id, ids))
      else onOpen(row)
    },
    [ids, select, onOpen],
  )
  const onToggle = useCallback((row: Row) => select((before) => toggle(before, row.id, ids)), [ids, select])
  const onSelectAll = useCallback(
    (all: boolean) => select((before) => (all ? { kind: 'ids', ids: new Set(ids), anchor: before.anchor } : NOTHING)),
    [ids, select],
  )
  const clear = useCallback(() => select(NOTHING), [select])
  return {
    selection,
    select,
    clear,
    /** Everything that matches the filter. */
    isAll: selection.kind === 'all',
    count: sizeOf(selection, total),
    /** The selected rows that are loaded. */
    selectedIds: useMemo(() => ids.filter((id) => isSelected(selection, id)), [ids, selection]),
    /** For the bar. */
    all: { isChosen: selection.kind === 'all', total, choose: () => select(selectAll(selection)) },
    /** For the grid. */
    grid: { selection, onPress, onToggle, onSelectAll },
  }
}
