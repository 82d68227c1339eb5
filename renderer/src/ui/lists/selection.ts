/**
 * A selection is a set of ids, or everything that matches the filter except some rows. The anchor is where a Shift range
 * starts.
 */
export type Selection = { kind: 'ids'; ids: ReadonlySet<string>; anchor: string | null } | { kind: 'all'; anchor: string | null }

export const NOTHING: Selection = { kind: 'ids', ids: new Set(), anchor: null }

export const isSelected = (selection: Selection, id: string): boolean => selection.kind === 'all' || selection.ids.has(id)

/** Number of selected rows; `total` is the number that match the filter. */
export const sizeOf = (selection: Selection, total: number): number => (selection.kind === 'all' ? total : selection.ids.size)

/** `loaded` are the rows known so far, in order: deselecting one row of "all" needs them, because the server takes ids or a filter. */
export function toggle(selection: Selection, id: string, loaded: readonly string[]): Selection {
  const ids = new Set(selection.kind === 'all' ? loaded : selection.ids)
  if (!ids.delete(id)) ids.add(id)
  return { kind: 'ids', ids, anchor: id }
}

/** Shift+click and Shift+J/K: everything from the anchor to `id` is added. */
export function extendTo(selection: Selection, id: string, loaded: readonly string[]): Selection {
  const from = selection.anchor === null ? -1 : loaded.indexOf(selection.anchor)
  const to = loaded.indexOf(id)
  if (from < 0 || to < 0) return { kind: 'ids', ids: new Set(selection.kind === 'ids' ? [...selection.ids, id] : [id]), anchor: id }
  const range = loaded.slice(Math.min(from, to), Math.max(from, to) + 1)
  return { kind: 'ids', ids: new Set([...(selection.kind === 'ids' ? selection.ids : []), ...range]), anchor: selection.anchor }
}

export const selectAll = (selection: Selection): Selection => ({ kind: 'all', anchor: selection.anchor })

/** The part of the selection that is still listed. */
export function listedOf(selection: Selection, loaded: readonly string[]): Selection {
  if (selection.kind === 'all') return selection
  const listed = new Set(loaded)
  const ids = new Set([...selection.ids].filter((id) => listed.has(id)))
  if (ids.size === selection.ids.size) return selection
  return { kind: 'ids', ids, anchor: selection.anchor !== null && listed.has(selection.anchor) ? selection.anchor : null }
}

/** Without a row that was removed. */
export function without(selection: Selection, id: string): Selection {
  if (selection.kind === 'all' || !selection.ids.has(id)) return selection
  const ids = new Set(selection.ids)
  ids.delete(id)
  return { kind: 'ids', ids, anchor: selection.anchor === id ? null : selection.anchor }
}
