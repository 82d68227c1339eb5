import type { PiiType } from './types.ts'

/** Commands and files that carry a user and a password in a form of their own, told by a word of their line. */
export interface Carrier {
  /** One of these words begins the look. */
  words: string
  form: RegExp
  /** What the groups of the form hold, in turn. */
  groups: readonly PiiType[]
  /** One of these stands in a line of this form: told sooner than the form. */
  needs?: readonly string[]
}

const VALUE = String.raw`(?:'([^'\n]{3,200})'|"([^"\n]{3,200})"|([^\s"'|;&<>]{3,200}))`
/** A value in single quotes, in double quotes or bare takes three groups of the form. */
const ANY_CASE = '(any case)'
export const carrier = (words: string, form: string, ...groups: PiiType[]): Carrier => ({
  words,
  // no group with flags of its own, `(?i:…)`: V8 finds other things with it once it has compiled the expression
  form: new RegExp(
    form.replace(ANY_CASE, '').replaceAll('VALUE', VALUE),
    `gd${form.startsWith(ANY_CASE) ? 'i' : ''}${form.includes('\\p{') ? 'u' : ''}`,
  ),
  groups,
})

/** The same, for words that many lines have. */
export const needing = (needs: readonly string[], one: Carrier): Carrier => ({ ...one, needs })
