/** Rules for what may be sent: what no rule names is removed, and its name is reported. */
import { lookup } from '#contracts/lookup.ts'

/** Called with a name for each removed part. */
export type Removed = (name: string) => undefined
/** Returns the value to send, or undefined if it is removed. */
export type Rule = (value: unknown, at: string, removed: Removed) => unknown

export const keep: Rule = (value) => value

export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export const only =
  (accepts: (value: unknown) => boolean): Rule =>
  (value, at, removed) =>
    accepts(value) ? value : removed(at)

/** A number, text or truth value, without parts that could mean something else. */
export const plain = only((value) => ['string', 'number', 'boolean'].includes(typeof value))
export const text = only((value) => typeof value === 'string')

/** An object with only these fields. Fields that are null mean nothing and are left out. */
export const fields =
  (rules: Readonly<Record<string, Rule>>): Rule =>
  (value, at, removed) => {
    if (!isObject(value)) return removed(at)
    const sent = lookup<unknown>()
    for (const [name, inner] of Object.entries(value)) {
      if (inner === null && name !== 'content') continue // the content of a message with calls is null
      const place = at === '' ? name : `${at}.${name}`
      const after = Object.hasOwn(rules, name) ? rules[name]!(inner, place, removed) : removed(place)
      if (after !== undefined) sent[name] = after
    }
    return sent
  }

/** A list without the items that are removed. */
export const list =
  (rule: Rule): Rule =>
  (value, at, removed) =>
    Array.isArray(value) ? value.map((item: unknown) => rule(item, at, removed)).filter((item) => item !== undefined) : removed(at)

/** The type that an object names. */
export const typeIn = (value: unknown): string | null => (isObject(value) && typeof value['type'] === 'string' ? value['type'] : null)

/** An object whose type decides its rule; `instead` takes the place of other types. */
export const byType =
  (rules: Readonly<Record<string, Rule>>, { missing, instead }: { missing?: string; instead?: (type: string) => unknown } = {}): Rule =>
  (value, at, removed) => {
    const type = typeIn(value) ?? (isObject(value) && value['type'] === undefined ? missing : null) ?? typeof value
    const name = `${at}: ${type}`
    const after = isObject(value) && Object.hasOwn(rules, type) ? rules[type]!(value, name, removed) : removed(name)
    return after ?? instead?.(type)
  }

/** The rule of the first that fits. */
export const either =
  (fits: (value: unknown) => boolean, first: Rule, second: Rule): Rule =>
  (value, at, removed) =>
    (fits(value) ? first : second)(value, at, removed)

export const isText = (value: unknown): value is string => typeof value === 'string'
/** The model reads this instead of what was removed. */
export const removedText = (type: string) => `[${type.slice(0, 40)}: removed by Bash Gym, because it could reach the network]`
