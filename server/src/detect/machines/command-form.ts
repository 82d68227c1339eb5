import type { PiiType } from '../types.ts'

/** A command, setting or message whose fixed form contains an account, a host or a secret. */
export interface CommandForm {
  /** The form is tried on lines that contain one of these words. */
  words: string
  form: RegExp
  /** The type of each group of the form, in order. */
  groups: readonly PiiType[]
  /** The line must also contain one of these texts; checked before the form because it is cheaper. */
  needs?: readonly string[]
}

const VALUE = String.raw`(?:'([^'\n]{3,200})'|"([^"\n]{3,200})"|([^\s"'|;&<>]{3,200}))`
/** VALUE is a value in single quotes, in double quotes or unquoted: three groups. */
const ANY_CASE = '(any case)'
export const commandForm = (words: string, form: string, ...groups: PiiType[]): CommandForm => ({
  words,
  // no `(?i:…)` groups: V8 matches them differently once the expression is compiled
  form: new RegExp(
    form.replace(ANY_CASE, '').replaceAll('VALUE', VALUE),
    `gd${form.startsWith(ANY_CASE) ? 'i' : ''}${form.includes('\\p{') ? 'u' : ''}`,
  ),
  groups,
})

/** Restricts a form whose words are too common to try it on every line. */
export const onlyOnLinesWith = (needs: readonly string[], one: CommandForm): CommandForm => ({ ...one, needs })
