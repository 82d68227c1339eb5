import { SECRET_TYPES, type PiiType, type PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { canonical } from './canonical.ts'
import { draw } from './keyed.ts'
import { category, isLabel, label, pseudonym } from './labels.ts'
import { createNumbering, type Numbering } from './numbering.ts'
import { createMakers } from './makers.ts'
import { mask } from './mask.ts'
import { createPeople, type People } from './people.ts'

/** The replacement of a value; `strategy` from a decision, else that of the policy. */
export type Replacer = (type: PiiType, value: string, strategy?: ReplaceStrategy) => string

/** The strategy of a type: the one named for it, redact for secrets, else the default. */
export const strategyOf = (
  { strategies, defaultStrategy }: Pick<PrivacyPolicy, 'strategies' | 'defaultStrategy'>,
  type: PiiType,
): ReplaceStrategy => strategies[type] ?? (SECRET_TYPES.includes(type) ? 'redact' : defaultStrategy)

/** Attempts before a range counts as exhausted. */
const ATTEMPTS = 48
/** Number and maximum length of cached values. */
const REMEMBERED = 10_000
const REMEMBERED_CHARS = 300

/**
 * Replacements under one key. Equal values get the same one in any spelling, different values different ones (redact,
 * mask and category do not distinguish values, except redact within a record); replacements themselves stay unchanged. A made-up value that
 * is taken is drawn again, so it may depend on the order of values: one replacer serves a data set.
 */
export function createReplacer(
  key: Buffer,
  policy: Pick<PrivacyPolicy, 'strategies' | 'defaultStrategy'>,
  numbering: Numbering = createNumbering(),
  people: People = createPeople(key),
): Replacer {
  const redact = (type: PiiType, value: string) => label(type, numbering.numberOf(type, value))
  const makers = createMakers(key, people)
  const attempts = new Map<string, number>()
  const taken = new Map<string, string>()

  const synthetic = (type: PiiType, value: string): string => {
    const maker = makers[type]
    if (maker.isOwn(value)) return value
    const sameAs = (one: string) => maker.sameAs?.(one) ?? canonical(type, one)
    const known = `${type}\0${sameAs(value)}`
    const make = (attempt: number) => maker.make(value, draw(key, `${known}\0${attempt}`), attempt)
    const before = attempts.get(known)
    if (before !== undefined) return before < 0 ? pseudonym(key, type, canonical(type, value)) : make(before)!
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const made = make(attempt)
      if (made === null) return redact(type, value)
      if (!maker.isOwn(made)) continue // it would look real
      const place = `${type}\0${sameAs(made)}`
      if ((taken.get(place) ?? known) !== known) continue
      taken.set(place, known)
      attempts.set(known, attempt)
      return made
    }
    attempts.set(known, -1)
    return pseudonym(key, type, canonical(type, value))
  }

  const by: Record<ReplaceStrategy, (type: PiiType, value: string) => string> = {
    redact,
    mask,
    synthetic,
    hash: (type, value) => pseudonym(key, type, canonical(type, value)),
    category,
  }
  const remembered = new Map<string, string>()
  return (type, value, strategy = strategyOf(policy, type)) => {
    if (isLabel(value)) return value
    if (strategy === 'redact') return redact(type, value) // numbers restart with each record
    const asked = `${type}\0${strategy}\0${value}`
    let instead = remembered.get(asked)
    if (instead !== undefined) return instead
    instead = by[strategy](type, value)
    if (isLabel(instead)) return instead
    if (remembered.size >= REMEMBERED) remembered.clear()
    if (asked.length <= REMEMBERED_CHARS) remembered.set(asked, instead)
    return instead
  }
}
