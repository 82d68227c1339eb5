import { SECRET_TYPES, type PiiType } from '#contracts/entities/privacy.ts'
import { isLabel, keyLines } from './replace/index.ts'

/** Secrets that were found earlier in a run, with their labels. Never written, never part of a message. */
export type KnownSecrets = [value: string, label: string][]

/** Shorter and simpler values are also ordinary words: a password such as "postgres". */
const isUnmistakable = (value: string): boolean => value.length >= 8 && /\d/.test(value) && /[a-z]/i.test(value)
/** A shorter rest of a key is of no use. */
const LEAST_KEY_LINE = 12
const MAX_KNOWN = 10_000

/** Replaces known secrets also where nothing shows that they are secrets, as in the output of `echo $PASSWORD`. */
export function createKnownSecrets(known: KnownSecrets) {
  const labels = new Map(known)
  let ordered: KnownSecrets | null = null
  const add = (value: string, label: string) => {
    if (labels.size >= MAX_KNOWN || labels.has(value)) return
    labels.set(value, label)
    ordered = null
  }
  return {
    add(type: PiiType, value: string, label: string): void {
      if (!SECRET_TYPES.includes(type) || isLabel(value) || !isLabel(label)) return
      if (type !== 'private_key') return isUnmistakable(value) ? add(value, label) : undefined
      for (const line of keyLines(value)) if (line.length >= LEAST_KEY_LINE) add(line, label)
    },
    replaceIn: (text: string): string => {
      // the longest first, because one may contain another
      ordered ??= [...labels].toSorted(([a], [b]) => b.length - a.length)
      let after = text
      for (const [value, label] of ordered) if (after.includes(value)) after = after.replaceAll(value, () => label)
      return after
    },
    all: (): KnownSecrets => [...labels],
  }
}
