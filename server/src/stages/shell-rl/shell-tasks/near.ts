import { jaccard, shinglesOf } from '#server/likeness/shingles.ts'
import { comparedText } from './identity.ts'

const WORDS_PER_SHINGLE = 3
/** Two tasks are nearly the same from this Jaccard index on. */
export const NEAR = 0.8

export interface Indexed {
  id: string
  task: string
  isHeldOut: boolean
}

export interface NearTask {
  id: string
  isHeldOut: boolean
  /** The Jaccard index of the shingles. */
  likeness: number
}

/**
 * Finds every task that is nearly the same as a text. Two sufficiently similar sets of shingles share at least one of the
 * rarest shingles of each (prefix filter), so only those are looked up. The result is exact.
 */
export function createNearIndex(tasks: readonly Indexed[], upcoming: readonly string[] = []) {
  const frequency = new Map<number, number>()
  for (const text of [...tasks.map(({ task }) => task), ...upcoming])
    for (const shingle of shinglesIn(text)) frequency.set(shingle, (frequency.get(shingle) ?? 0) + 1)
  const rarest = (shingles: Uint32Array): number[] => {
    const rank = (shingle: number) => frequency.get(shingle) ?? 0
    return [...shingles].toSorted((a, b) => rank(a) - rank(b) || a - b).slice(0, shingles.length - Math.ceil(NEAR * shingles.length) + 1)
  }
  const entries: { id: string; isHeldOut: boolean; shingles: Uint32Array }[] = []
  const entriesOfShingle = new Map<number, number[]>()

  const add = ({ id, task, isHeldOut }: Indexed): void => {
    const shingles = shinglesIn(task)
    for (const shingle of rarest(shingles)) {
      const indexes = entriesOfShingle.get(shingle)
      if (indexes) indexes.push(entries.length)
      else entriesOfShingle.set(shingle, [entries.length])
    }
    entries.push({ id, isHeldOut, shingles })
  }
  for (const task of tasks) add(task)

  return {
    add,
    /** The most similar first. */
    near(text: string): NearTask[] {
      const shingles = shinglesIn(text)
      const candidates = new Set(rarest(shingles).flatMap((shingle) => entriesOfShingle.get(shingle) ?? []))
      const found: NearTask[] = []
      for (const index of candidates) {
        const { id, isHeldOut, shingles: others } = entries[index]!
        const [smaller, larger] = [Math.min(shingles.length, others.length), Math.max(shingles.length, others.length)]
        if (smaller < NEAR * larger) continue
        const likeness = jaccard(shingles, others)
        if (likeness >= NEAR) found.push({ id, isHeldOut, likeness })
      }
      return found.toSorted((a, b) => b.likeness - a.likeness)
    },
  }
}

/** Ignores punctuation at the end of words. */
const shinglesIn = (text: string): Uint32Array => shinglesOf(comparedText(text).replaceAll(/[.,;:!?]+(?= |$)/g, ''), WORDS_PER_SHINGLE)

/** Returns a function that finds the task that a text repeats, exactly or nearly, and remembers new texts. */
export function createRepeatFinder(tasks: readonly Indexed[]): (task: string) => string | null {
  const exact = new Map(tasks.map(({ id, task }) => [comparedText(task), id]))
  const index = createNearIndex(tasks)
  return (task) => {
    const text = comparedText(task)
    const same = exact.get(text) ?? index.near(task)[0]?.id
    if (same !== undefined) return same
    exact.set(text, 'a task of this generation')
    index.add({ id: 'a task of this generation', task, isHeldOut: false })
    return null
  }
}
