import { extendTo, toggle, type Selection } from './selection.ts'

interface Rows {
  /** The loaded rows, in order. */
  ids: readonly string[]
  /** May be a row that is not loaded. */
  currentId: string | null
  selection: Selection
  /** Makes a row the current one and shows it. */
  goTo: (id: string) => void
  select: (next: Selection) => void
  /** While true, the step keys are left to another part of the screen. */
  isElsewhere?: () => boolean
}

/** The keys of every long list: step, select, extend the selection. */
export function rowKeys({ ids, currentId, selection, goTo, select, isElsewhere = () => false }: Rows) {
  const place = currentId === null ? -1 : ids.indexOf(currentId)
  const near = (index: number) => ids[Math.min(Math.max(index, 0), ids.length - 1)]
  const step = (by: 1 | -1): boolean => {
    if (isElsewhere()) return false
    const id = near(place < 0 ? 0 : place + by)
    if (id !== undefined) goTo(id)
    return true
  }
  const extend = (by: 1 | -1): void => {
    if (currentId === null) return
    const from = selection.anchor === null ? toggle(selection, currentId, ids) : selection
    const next = near(place + by)
    if (next !== undefined) goTo(next)
    select(next === undefined ? from : extendTo(from, next, ids))
  }
  return {
    next: () => step(1),
    previous: () => step(-1),
    select: () => {
      if (currentId !== null) select(toggle(selection, currentId, ids))
    },
    extendDown: () => extend(1),
    extendUp: () => extend(-1),
  }
}

/** As a hook, because only hooks may be given functions that use refs. */
export const useRowKeys = (rows: Rows) => rowKeys(rows)
