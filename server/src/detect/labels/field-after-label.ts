import { isIssuedNumber, issuedNumberAfter } from './issued-numbers.ts'
import { fallbackIn, lineValue, valueAt } from './field-values.ts'
import type { Field } from './field.ts'
import type { Label } from './labels.ts'
import { isIdentifier, labelIn, parentKeyOf, phraseBefore } from './label-phrases.ts'
import { mayBeSeparator, siblingAt, separatorAt } from './label-separators.ts'
import { lineStart } from '../lines.ts'
import { matchAt } from '../match-at.ts'
import { changesOf } from '../secrets/random-letters.ts'

const TRAIL =
  /(?:[_-]?(?:\d{1,2}|prod|production|staging|stage|dev|development|testing|old|new|backup|value|val|main|default|primary|secondary|raw|plain|plaintext|str|string|b64|base64|live|real|us|eu|uk|de|nr|no|num|number|nummer|line1|line|1|a|b))+(?![A-Za-z0-9_])/iy

/** The start of a placeholder such as `[PASSWORD_1]`, which is no label. */
const PLACEHOLDER = /\[[A-Z_]{2,30}$/

/** The field whose label ends at `end`; null if no value follows or the words are no label. */
export function fieldAfter(text: string, wordStart: number, end: number): Field | null {
  let at = end
  const next = text.charCodeAt(at)
  if (isIdentifier(next)) {
    const trail = matchAt(TRAIL, text, at)
    if (trail === null) return null
    at += trail[0].length
    if (text.charCodeAt(at) === 93 && PLACEHOLDER.test(text.slice(Math.max(0, end - 32), end))) return null
  }
  // most JSON keys are not labels
  if (next === 34 && text.charCodeAt(end + 1) === 58 && !isLabel(text.slice(phraseBefore(text, wordStart, end), end))) return null
  const separator = mayBeSeparator(text, at) ? (siblingAt(text, at, wordStart) ?? separatorAt(text, at, wordStart)) : null
  if (separator === null && issuedNumberAfter(text, end) === null) return null
  const phraseStart = phraseBefore(text, wordStart, end)
  // `${DB_PASSWORD:?missing}`: shell syntax
  const isShell = text[phraseStart - 1] === '{' && text[phraseStart - 2] === '$'
  if (isShell && !(text[at] === ':' && /[-=\w]/.test(text[at + 1] ?? ''))) return null
  const phrase = text.slice(phraseStart, end)
  const identifier = phrase.slice(phrase.lastIndexOf(' ') + 1)
  const label =
    labelIn(phrase) ??
    (separator?.sign === ':' && NEEDS_PARENT.test(phrase) ? labelIn(`${parentKeyOf(text, phraseStart)} ${phrase}`) : null) ??
    (NUMBER_SIGN.test(text.slice(end, end + 6)) ? labelIn(`${phrase} number`) : null)
  if (label === null) return null
  const isUpper = /^[A-Z][A-Z0-9_]*$/.test(identifier) && (separator?.sign === '=' || separator?.sign === '\t')
  const value = isShell
    ? fallbackIn(text, /[-=]/.test(text[at + 1]!) ? at + 2 : at + 1)
    : ((separator === null ? null : ((isUpper ? lineValue(text, phraseStart, separator) : null) ?? valueAt(text, separator, label.kind))) ??
      numberValue(text, end, label.kind))
  if (value === null || isTestResult(text, phraseStart, phrase, value)) return null
  const style = isUpper ? 'env' : (separator?.style ?? 'prose')
  return {
    kind: label.kind,
    phrase: label.phrase,
    before: label.before,
    start: value.start,
    end: value.end,
    quoted: value.quoted,
    text: text.slice(value.start, value.end),
    style,
    identifier: !phrase.includes(' ') || (/\w[_-]\w|[a-z][A-Z]/.test(identifier) && labelIn(identifier)?.kind === label.kind),
  }
}

/** Keys whose meaning depends on their parent key. */
const NEEDS_PARENT = /^(?:key|value|secret)$/
const isLabel = (phrase: string) => labelIn(phrase) !== null || NEEDS_PARENT.test(phrase)

/** "Member #: …", "permis n° …": a sign or abbreviation for "number". */
const NUMBER_SIGN = /^\s?(?:#|n\.?[°º.]|no\.|nr\.|№)/i

/** The number after a label without a separator. */
function numberValue(text: string, end: number, kind: Label['kind']) {
  const at = isIssuedNumber(kind) ? issuedNumberAfter(text, end) : null
  return at === null ? null : valueAt(text, { at, style: 'prose', sign: '', mustQuote: false }, kind)
}

/** `PASS  tests/x`, `PASS: src/a.test.ts`: a word in capitals at the start of a line, before a path or the name of a test. */
function isTestResult(text: string, phraseStart: number, phrase: string, value: { start: number; end: number; quoted: boolean }): boolean {
  if (value.quoted || !/^[A-Z]{3,12}$/.test(phrase) || !/^[ \t:]{1,12}$/.test(text.slice(phraseStart + phrase.length, value.start)))
    return false
  if (text.slice(lineStart(text, phraseStart, 60), phraseStart).trim() !== '') return false
  const word = text.slice(value.start, value.start + 200).split(/\s/, 1)[0]!
  return (PATH.test(word) || TEST_NAME.test(word)) && changesOf(word) * 3 < word.length
}
const PATH =
  /^(?:[A-Za-z]:)?[\w@.+~-]*(?:[\\/][\w@.+()[\]~-]+)+[\\/]?(?:::?[\w:.[\]-]{1,100})?$|^[\w@+-]+(?:\.[\w+-]+)*\.(?:[cm]?[jt]sx?|py|go|rs|rb|php|java|kt|cs|cc?|cpp|h|sh|feature|exs?|dart|swift|scala|lua)$/
const TEST_NAME = /^\w+(?:::\w+)+$/
