import { useCallback, useState } from 'react'
import { NOTHING, type Selection } from './selection.ts'

/** A selection belongs to its filter; a new filter starts with nothing selected. */
export function useSelection(filter: string): [Selection, (next: Selection | ((before: Selection) => Selection)) => void] {
  const [state, setState] = useState({ filter, selection: NOTHING })
  const selection = state.filter === filter ? state.selection : NOTHING
  const set = useCallback(
    (next: Selection | ((before: Selection) => Selection)) =>
      setState((before) => ({
        filter,
        selection: typeof next === 'function' ? next(before.filter === filter ? before.selection : NOTHING) : next,
      })),
    [filter],
  )
  return [selection, set]
}
