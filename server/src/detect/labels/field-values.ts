import type { Separator } from './field.ts'
import { matchAt } from '../match-at.ts'

const TYPE_ANNOTATION = /(?:\w+(?:[.<[][\w\s|,.]{0,40}[>\]]?)?|&?(?:'static )?str)\s*(?:\|\s*\w+\s*)?=\s*(?=[rbfu]{0,2}["'`])/y
const PREFIX =
  /(?:[rbfuLN@$]{1,2}|\[\]byte\(|&\[\]byte\(|bytes\(|Secret\(|SecretString\(|Buffer\.from\(|new \w+\(|SecretStr\(|String\(|b64decode\(|(?:datetime\.)?date\.fromisoformat\(|(?:Local)?Date(?:Time)?\.parse\(|dayjs\(|moment\()(?=["'`])/y

/** `${DB_PASSWORD:-value}`. */
export function fallbackIn(text: string, at: number): { start: number; end: number; quoted: boolean } | null {
  const close = text.indexOf('}', at)
  return close > at && close - at < 100 && !/[\s${"'`]/.test(text.slice(at, close)) ? { start: at, end: close, quoted: true } : null
}

/** The value of `NAME=va"lu'e` alone on its line, where quotes belong to the value. */
export function lineValue(text: string, phraseStart: number, separator: Separator): { start: number; end: number; quoted: boolean } | null {
  if (!LINE_LEAD.test(text.slice(Math.max(0, phraseStart - 12), phraseStart))) return null
  const match = matchAt(LINE_VALUE, text, separator.at)
  return match === null ? null : { start: separator.at, end: separator.at + match[0].length, quoted: false }
}
const LINE_LEAD = /(?:^|\n)[ +-]?(?:export )?$/
const LINE_VALUE = /(?=[^\s"'`$<>{}]{2,60}["'`][^\s"'`,:}\])])[^\s,;`$<>{}]{6,100}(?<![,}"'`])(?=[ \t]*(?:\r?\n|$))/y

/** Kinds whose values contain spaces. */
const SPACED_KINDS = new Set(
  'person given name address street city country condition diagnosis phone card iban birth account zip ssn mrn plan license passport'.split(
    ' ',
  ),
)
/** Content of an XML element. */
const ELEMENT = /[^<>\n]{4,200}(?=<\/)/y
/** Kinds whose value may be alone on the next line (`NEXT_LINE_VALUE`). */
const SECRET_KINDS = new Set(['password', 'secret', 'token', 'apiKey'])
const NEXT_LINE_VALUE = /^\n{1,2}[ \t]{0,20}(?:- )?(?=(?=\S*[\d!@#$%^&*])(?=\S*[A-Za-z])[^\s:=<>{}()[\]]{6,160}[ \t]*(?:\r?\n|$))/

/** A lookup with a fallback value: `process.env.X || "…"`, `env("X", "…")`, `"${a.b:…}"`. */
const EXPRESSION =
  /\$\{[\w.-]{2,60}:[-=]?(?=[^}\s"'`$?+][^}\s"'`$]{3,99}\})|(?:[\w$.]+(?:\(\s*["'][\w.-]{1,60}["']\s*\)|\[\s*["'][\w.-]{1,60}["']\s*\])?\s?(?:\|\||\?\?|\?:|or)\s?(?=["'`]))|[\w$.:]+\(\s*["'][\w.-]{1,60}["']\s*,\s*(?:default\s*=\s*)?(?=["'`])/y
const mayHoldFallback = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 36
}

export function valueAt(text: string, separator: Separator, kind: string): { start: number; end: number; quoted: boolean } | null {
  let at = separator.at
  while ((text[at] === ' ' || text[at] === '\t') && at - separator.at < 60) at += 1
  // a block of YAML
  if (separator.sign === ':' && (text[at] === '|' || text[at] === '>')) {
    const block = /^[|>][-+]?\n[ \t]{1,20}/.exec(text.slice(at, at + 24))
    if (block !== null) at += block[0].length
  }
  // a quoted value on the next line (YAML, pretty-printed XML)
  if (text[at] === '\n' && (separator.style === 'assign' || (separator.sign === ':' && SECRET_KINDS.has(kind)))) {
    const next =
      /^\s{1,60}(?=["'])/.exec(text.slice(at, at + 62)) ?? (SECRET_KINDS.has(kind) ? NEXT_LINE_VALUE.exec(text.slice(at, at + 162)) : null)
    if (next === null) return null
    at += next[0].length
  }
  if (separator.sign === ':' || separator.sign === '=' || separator.sign === ',') {
    const expression = mayHoldFallback(text, at) ? matchAt(EXPRESSION, text, at) : null
    if (expression !== null) at += expression[0].length
  }
  const annotation = separator.sign === ':' ? matchAt(TYPE_ANNOTATION, text, at) : null
  if (annotation !== null) at += annotation[0].length
  const prefix = matchAt(PREFIX, text, at)
  if (prefix !== null) at += prefix[0].length
  if (text[at] === '[' && /["']/.test(text[at + 1] ?? '')) at += 1
  const quote = text[at]
  if (quote === '"' || quote === "'" || quote === '`') {
    const from = at + 1
    const limit = Math.min(text.length, from + 1000)
    let end = from
    while (end < limit && text[end] !== quote && text[end] !== '\n') end += 1
    if (text[end] === quote && end > from) {
      // '' inside an SQL text is an apostrophe
      return { start: from, end, quoted: true }
    }
    if (separator.mustQuote || end === from) return null
    at = from
  }
  if (separator.mustQuote) return null
  if (quote === '*' && text[at + 1] === '*') at += 2
  if (separator.sign === '>' && SECRET_KINDS.has(kind)) {
    const element = matchAt(ELEMENT, text, at)
    if (element !== null) return { start: at, end: at + element[0].length, quoted: true }
  }
  const allowsSpaces = SPACED_KINDS.has(kind)
  if (text[at] === '[' && (kind === 'condition' || kind === 'diagnosis' || kind === 'person')) at += 1
  const limit = Math.min(text.length, at + (allowsSpaces ? 160 : 512))
  let end = at
  for (; end < limit; end += 1) {
    const char = text[end]!
    if (char === '&' && end > at && separator.style !== 'prose' && /^&[\w.-]{1,40}=/.test(text.slice(end, end + 42))) break // a query continues
    if (char < ' ' || char === '\r' || char === '"' || char === '`' || char === '<' || char === '|' || char === '\t') break
    if (allowsSpaces) {
      if (char === ';' || char === '{' || char === '}' || char === ']' || char === '[') break
      if (char === ' ' && (text[end + 1] === ' ' || (separator.sign === '=' && /^ [\w.-]{1,30}=/.test(text.slice(end, end + 32))))) break
      if (
        char === ',' &&
        kind !== 'condition' &&
        kind !== 'diagnosis' &&
        kind !== 'address' &&
        kind !== 'birth' &&
        kind !== 'name' &&
        kind !== 'person'
      )
        break
    } else if (
      char === ' ' ||
      (char === ',' && separator.style !== 'env') ||
      (char === ';' && /\s|$/.test(text[end + 1] ?? '')) ||
      (char === "'" && end > at) ||
      (char === '>' && (end > at || !/\w/.test(text[end + 1] ?? '')))
    )
      break
    else if ((char === ')' || char === '}' || char === ']') && !/[\w!@#$%^&*]/.test(text[end + 1] ?? '')) break
  }
  while (end > at && /[\s,;.:*)]/.test(text[end - 1]!)) {
    if (/[.:*)]/.test(text[end - 1]!) && !allowsSpaces && separator.style === 'env') break
    end -= 1
  }
  return end > at ? { start: at, end, quoted: separator.sign === '>' && text[end] === '<' && text[end + 1] === '/' } : null
}
