import { useCallback, useState } from 'react'
import { NOTHING, type Selection } from './selection.ts'

/** A selection belongs to its filter; a new filter starts with nothing selected. */
export function useSelection(filter: string): [Selection, (next: Selection | ((before: Selection) => Selection)) => void] {
  const [kept, setKept] = useState({ filter, selection: NOTHING })
  const selection = kept.filter === filter ? kept.selection : NOTHING
  const set = useCallback(
    (next: Selection | ((before: Selection) => Selection)) =>
      setKept((before) => ({
        filter,
        selection: typeof next === 'function' ? next(before.filter === filter ? before.selection : NOTHING) : next,
      })),
    [filter],
  )
  return [selection, set]
}
