import { useCallback, useState } from 'react'
import { useLocation } from 'wouter'
import type { Model } from '#contracts/entities/model.ts'
import { modelHref } from '#renderer/api/links.ts'
import { useKeys } from '#renderer/app/use-keys.ts'

/** As many as one can hold apart. */
export const MOST_COMPARED = 6

export interface Marks {
  ids: readonly string[]
  has: (id: string) => boolean
  mark: (id: string) => void
  clear: () => void
  /** Where the keys stand. */
  currentId: string | null
  compare: () => void
}

/** Which models are marked to be compared, and where the keys stand; the keys of lists move over `models`. */
export function useMarks(models: readonly Model[]): Marks {
  const [, go] = useLocation()
  const [ids, setIds] = useState<readonly string[]>([])
  const [currentId, setCurrentId] = useState<string | null>(null)
  const mark = useCallback(
    (id: string) => setIds((before) => (before.includes(id) ? before.filter((one) => one !== id) : [...before, id].slice(-MOST_COMPARED))),
    [],
  )
  const compare = () => {
    if (ids.length >= 2) go(`/models/compare?ids=${ids.join(',')}`)
  }
  const step = (by: number) => {
    const at = models.findIndex(({ id }) => id === currentId)
    const next = at < 0 ? 0 : Math.max(0, Math.min(models.length - 1, at + by))
    setCurrentId(models[next]?.id ?? null)
  }
  useKeys({
    next: () => step(1),
    previous: () => step(-1),
    open: () => (currentId === null ? false : go(modelHref(currentId))),
    select: () => (currentId === null ? false : mark(currentId)),
    compareMarked: compare,
  })
  return { ids, has: (id) => ids.includes(id), mark, clear: () => setIds([]), currentId, compare }
}
