import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import { useKeys } from './use-keys.ts'

export interface Marks {
  ids: readonly string[]
  has: (id: string) => boolean
  mark: (id: string) => void
  clear: () => void
  /** Id of the row with the keyboard focus. */
  currentId: string | null
  compare: () => void
}

/** Rows marked for comparison, at most `most`, and the focused row; list keys move over `items`. */
export function useMarks(
  items: readonly { id: string }[],
  { most, hrefOf, compareHref }: { most: number; hrefOf: (id: string) => string; compareHref: (ids: readonly string[]) => string },
): Marks {
  const [, go] = useLocation()
  const [ids, setIds] = useState<readonly string[]>([])
  const [currentId, setCurrentId] = useState<string | null>(null)
  const mark = useCallback(
    (id: string) => setIds((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id].slice(-most))),
    [most],
  )
  const compare = () => {
    if (ids.length >= 2) go(compareHref(ids))
  }
  const step = (by: number) => {
    const at = items.findIndex(({ id }) => id === currentId)
    const next = at < 0 ? 0 : Math.max(0, Math.min(items.length - 1, at + by))
    setCurrentId(items[next]?.id ?? null)
  }
  useKeys({
    next: () => step(1),
    previous: () => step(-1),
    open: () => (currentId === null ? false : go(hrefOf(currentId))),
    select: () => (currentId === null ? false : mark(currentId)),
    compareMarked: compare,
  })
  return { ids, has: (id) => ids.includes(id), mark, clear: () => setIds([]), currentId, compare }
}
