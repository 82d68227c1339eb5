import { SECRET_TYPES, type PiiType, type PrivacyPolicy, type ReplaceStrategy } from '#contracts/entities/privacy.ts'
import { canonical } from './canonical.ts'
import { draw } from './keyed.ts'
import { category, isLabel, label, pseudonym } from './labels.ts'
import { createNumbering, type Numbering } from './numbering.ts'
import { createMakers } from './makers.ts'
import { mask } from './mask.ts'
import { createPeople, type People } from './people.ts'

/** The replacement of a value. `strategy` overrides the strategy of the policy. */
export type Replacer = (type: PiiType, value: string, strategy?: ReplaceStrategy) => string

/** The strategy of a type: its own, else redact for secrets, else the default. */
export const strategyOf = (
  { strategies, defaultStrategy }: Pick<PrivacyPolicy, 'strategies' | 'defaultStrategy'>,
  type: PiiType,
): ReplaceStrategy => strategies[type] ?? (SECRET_TYPES.includes(type) ? 'redact' : defaultStrategy)

/** Attempts before a range counts as exhausted. */
const ATTEMPTS = 48
/** Number and maximum length of cached values. */
const CACHE_SIZE = 10_000
const CACHED_CHARS = 300

/**
 * Replacements under one key. Synthetic and hash give equal values the same replacement in any spelling, and different
 * values different ones; redact distinguishes values only within a record, mask and category not at all. Replacements are
 * not replaced again. A made-up value that is taken is drawn again, so one replacer must serve a whole data set.
 */
export function createReplacer(
  key: Buffer,
  policy: Pick<PrivacyPolicy, 'strategies' | 'defaultStrategy'>,
  numbering: Numbering = createNumbering(),
  people: People = createPeople(key),
): Replacer {
  const redact = (type: PiiType, value: string) => {
    const numbered = numbering.numberOf(type, value)
    return label(numbered.type, numbered.number)
  }
  const makers = createMakers(key, people)
  const attempts = new Map<string, number>()
  const valueByReplacement = new Map<string, string>()

  const synthetic = (type: PiiType, value: string): string => {
    const maker = makers[type]
    if (maker.couldMake(value)) return value
    const sameAs = (text: string) => maker.canonicalOf?.(text) ?? canonical(type, text)
    const valueKey = `${type}\0${sameAs(value)}`
    const make = (attempt: number) => maker.make(value, draw(key, `${valueKey}\0${attempt}`), attempt)
    const previousAttempt = attempts.get(valueKey)
    if (previousAttempt !== undefined) return previousAttempt < 0 ? pseudonym(key, type, canonical(type, value)) : make(previousAttempt)!
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const made = make(attempt)
      if (made === null) return redact(type, value)
      if (!maker.couldMake(made)) continue // the value could be real
      const replacementKey = `${type}\0${sameAs(made)}`
      if ((valueByReplacement.get(replacementKey) ?? valueKey) !== valueKey) continue
      valueByReplacement.set(replacementKey, valueKey)
      attempts.set(valueKey, attempt)
      return made
    }
    attempts.set(valueKey, -1)
    return pseudonym(key, type, canonical(type, value))
  }

  const byStrategy: Record<ReplaceStrategy, (type: PiiType, value: string) => string> = {
    redact,
    mask,
    synthetic,
    hash: (type, value) => pseudonym(key, type, canonical(type, value)),
    category,
  }
  const cache = new Map<string, string>()
  return (type, value, strategy = strategyOf(policy, type)) => {
    if (isLabel(value)) return value
    if (strategy === 'redact') return redact(type, value) // numbers restart with each record
    const cacheKey = `${type}\0${strategy}\0${value}`
    let replacement = cache.get(cacheKey)
    if (replacement !== undefined) return replacement
    replacement = byStrategy[strategy](type, value)
    if (isLabel(replacement)) return replacement
    if (cache.size >= CACHE_SIZE) cache.clear()
    if (cacheKey.length <= CACHED_CHARS) cache.set(cacheKey, replacement)
    return replacement
  }
}
