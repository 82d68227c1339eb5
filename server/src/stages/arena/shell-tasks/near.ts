import { jaccard, shinglesOf } from '#server/likeness/shingles.ts'
import { comparedText } from './identity.ts'

/** Words of a shingle, and the Jaccard index from which on two tasks are nearly the same. */
const WORDS = 3
export const NEAR = 0.8

export interface Indexed {
  id: string
  task: string
  isHeldOut: boolean
}

export interface Near {
  id: string
  isHeldOut: boolean
  /** Jaccard index of the shingles. */
  likeness: number
}

/**
 * Finds every task that is nearly the same as a text. Two sets of shingles that are alike enough share one among the rarest
 * of each, as many as may be missing and one more (prefix filter): only those are looked up, and nothing is left to chance.
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
  const holders = new Map<number, number[]>()

  const add = ({ id, task, isHeldOut }: Indexed): void => {
    const shingles = shinglesIn(task)
    for (const shingle of rarest(shingles)) {
      const indexes = holders.get(shingle)
      if (indexes) indexes.push(entries.length)
      else holders.set(shingle, [entries.length])
    }
    entries.push({ id, isHeldOut, shingles })
  }
  for (const task of tasks) add(task)

  return {
    add,
    /** The most alike first. */
    near(text: string): Near[] {
      const shingles = shinglesIn(text)
      const candidates = new Set(rarest(shingles).flatMap((shingle) => holders.get(shingle) ?? []))
      const found: Near[] = []
      for (const index of candidates) {
        const { id, isHeldOut, shingles: others } = entries[index]!
        const [less, more] = [Math.min(shingles.length, others.length), Math.max(shingles.length, others.length)]
        if (less < NEAR * more) continue
        const likeness = jaccard(shingles, others)
        if (likeness >= NEAR) found.push({ id, isHeldOut, likeness })
      }
      return found.toSorted((a, b) => b.likeness - a.likeness)
    },
  }
}

/** Punctuation at the end of a word makes no other word of it. */
const shinglesIn = (text: string): Uint32Array => shinglesOf(comparedText(text).replaceAll(/[.,;:!?]+(?= |$)/g, ''), WORDS)
