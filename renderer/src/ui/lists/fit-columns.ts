import type { GridColumn } from './row-grid-types.ts'

/** The columns that fit into a width; the one with the highest `leaves` is dropped first. */
export function fitColumns<Column extends Pick<GridColumn, 'width' | 'leaves'>>(columns: readonly Column[], width: number): Column[] {
  const shown = [...columns]
  while (shown.reduce((sum, column) => sum + column.width, 0) > width) {
    const next = shown.filter(({ leaves }) => leaves !== null).toSorted((a, b) => (b.leaves ?? 0) - (a.leaves ?? 0))[0]
    if (!next) break
    shown.splice(shown.indexOf(next), 1)
  }
  return shown
}
