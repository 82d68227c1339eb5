/** `width` in px, of one that takes what is left: what it needs at least. `leaves`: the highest goes first; null stays. */
interface Fitted {
  width: number
  leaves: number | null
}

/** The columns that fit into a width, the least important leaving first. */
export function fitColumns<Column extends Fitted>(columns: readonly Column[], width: number): Column[] {
  const shown = [...columns]
  while (shown.reduce((sum, column) => sum + column.width, 0) > width) {
    const next = shown.filter(({ leaves }) => leaves !== null).toSorted((a, b) => (b.leaves ?? 0) - (a.leaves ?? 0))[0]
    if (!next) break
    shown.splice(shown.indexOf(next), 1)
  }
  return shown
}
