import type { Tie } from './field.ts'

const TYPED = /(?:\w+(?:[.<[][\w\s|,.]{0,40}[>\]]?)?|&?(?:'static )?str)\s*(?:\|\s*\w+\s*)?=\s*(?=[rbfu]{0,2}["'`])/y
const PREFIX =
  /(?:[rbfuLN@$]{1,2}|\[\]byte\(|&\[\]byte\(|bytes\(|Secret\(|SecretString\(|Buffer\.from\(|new \w+\(|SecretStr\(|String\(|b64decode\(|(?:datetime\.)?date\.fromisoformat\(|(?:Local)?Date(?:Time)?\.parse\(|dayjs\(|moment\()(?=["'`])/y

/** `${DB_PASSWORD:-value}`. */
export function fallbackIn(text: string, at: number): { start: number; end: number; quoted: boolean } | null {
  const close = text.indexOf('}', at)
  return close > at && close - at < 100 && !/[\s${"'`]/.test(text.slice(at, close)) ? { start: at, end: close, quoted: true } : null
}

/** `NAME=va"lu'e` alone on its line: signs inside it are its own. */
export function lineValue(text: string, phraseStart: number, tie: Tie): { start: number; end: number; quoted: boolean } | null {
  if (!LINE_LEAD.test(text.slice(Math.max(0, phraseStart - 12), phraseStart))) return null
  LINE_VALUE.lastIndex = tie.at
  const match = LINE_VALUE.exec(text)
  return match === null ? null : { start: tie.at, end: tie.at + match[0].length, quoted: false }
}
const LINE_LEAD = /(?:^|\n)[ +-]?(?:export )?$/
const LINE_VALUE = /(?=[^\s"'`$<>{}]{2,60}["'`][^\s"'`,:}\])])[^\s,;`$<>{}]{6,100}(?<![,}"'`])(?=[ \t]*(?:\r?\n|$))/y

/** Kinds whose values hold spaces. */
const FREE = new Set([
  'person',
  'given',
  'name',
  'address',
  'street',
  'city',
  'country',
  'condition',
  'diagnosis',
  'phone',
  'card',
  'iban',
  'birth',
  'account',
  'zip',
  'ssn',
  'mrn',
  'plan',
  'license',
  'passport',
])
/** What an element holds. */
const ELEMENT = /[^<>\n]{4,200}(?=<\/)/y
/** Kinds whose value may stand alone on the next line: one word with a letter and a figure or sign, no key of its own. */
const SECRETIVE = new Set(['password', 'secret', 'token', 'apiKey'])
const ALONE = /^\n{1,2}[ \t]{0,20}(?:- )?(?=(?=\S*[\d!@#$%^&*])(?=\S*[A-Za-z])[^\s:=<>{}()[\]]{6,160}[ \t]*(?:\r?\n|$))/

/** What is read from elsewhere, with a value to fall back on: `process.env.X || "…"`, `env("X", "…")`, `"${a.b:…}"`. */
const EXPRESSION =
  /\$\{[\w.-]{2,60}:[-=]?(?=[^}\s"'`$?+][^}\s"'`$]{3,99}\})|(?:[\w$.]+(?:\(\s*["'][\w.-]{1,60}["']\s*\)|\[\s*["'][\w.-]{1,60}["']\s*\])?\s?(?:\|\||\?\?|\?:|or)\s?(?=["'`]))|[\w$.:]+\(\s*["'][\w.-]{1,60}["']\s*,\s*(?:default\s*=\s*)?(?=["'`])/y
const mayHoldFallback = (text: string, at: number) => {
  const code = text.charCodeAt(at)
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 36
}

export function valueAt(text: string, tie: Tie, kind: string): { start: number; end: number; quoted: boolean } | null {
  let at = tie.at
  while ((text[at] === ' ' || text[at] === '\t') && at - tie.at < 60) at += 1
  // a block of YAML
  if (tie.sign === ':' && (text[at] === '|' || text[at] === '>')) {
    const block = /^[|>][-+]?\n[ \t]{1,20}/.exec(text.slice(at, at + 24))
    if (block !== null) at += block[0].length
  }
  // a value on the next line, indented (YAML, pretty-printed XML), only in quotes
  if (text[at] === '\n' && (tie.style === 'assign' || (tie.sign === ':' && SECRETIVE.has(kind)))) {
    const next = /^\s{1,60}(?=["'])/.exec(text.slice(at, at + 62)) ?? (SECRETIVE.has(kind) ? ALONE.exec(text.slice(at, at + 162)) : null)
    if (next === null) return null
    at += next[0].length
  }
  if (tie.sign === ':' || tie.sign === '=' || tie.sign === ',') {
    EXPRESSION.lastIndex = at
    const expression = mayHoldFallback(text, at) ? EXPRESSION.exec(text) : null
    if (expression !== null) at += expression[0].length
  }
  TYPED.lastIndex = at
  const typed = tie.sign === ':' ? TYPED.exec(text) : null
  if (typed !== null) at += typed[0].length
  PREFIX.lastIndex = at
  const prefix = PREFIX.exec(text)
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
    if (tie.mustQuote || end === from) return null
    at = from
  }
  if (tie.mustQuote) return null
  if (quote === '*' && text[at + 1] === '*') at += 2
  if (tie.sign === '>' && SECRETIVE.has(kind)) {
    ELEMENT.lastIndex = at
    const element = ELEMENT.exec(text)
    if (element !== null) return { start: at, end: at + element[0].length, quoted: true }
  }
  const free = FREE.has(kind)
  if (text[at] === '[' && (kind === 'condition' || kind === 'diagnosis' || kind === 'person')) at += 1
  const limit = Math.min(text.length, at + (free ? 160 : 512))
  let end = at
  for (; end < limit; end += 1) {
    const char = text[end]!
    if (char === '&' && end > at && tie.style !== 'prose' && /^&[\w.-]{1,40}=/.test(text.slice(end, end + 42))) break // a query goes on
    if (char < ' ' || char === '\r' || char === '"' || char === '`' || char === '<' || char === '|' || char === '\t') break
    if (free) {
      if (char === ';' || char === '{' || char === '}' || char === ']' || char === '[') break
      if (char === ' ' && (text[end + 1] === ' ' || (tie.sign === '=' && /^ [\w.-]{1,30}=/.test(text.slice(end, end + 32))))) break
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
      (char === ',' && tie.style !== 'env') ||
      (char === ';' && /\s|$/.test(text[end + 1] ?? '')) ||
      (char === "'" && end > at) ||
      (char === '>' && (end > at || !/\w/.test(text[end + 1] ?? '')))
    )
      break
    else if ((char === ')' || char === '}' || char === ']') && !/[\w!@#$%^&*]/.test(text[end + 1] ?? '')) break
  }
  while (end > at && /[\s,;.:*)]/.test(text[end - 1]!)) {
    if (/[.:*)]/.test(text[end - 1]!) && !free && tie.style === 'env') break
    end -= 1
  }
  return end > at ? { start: at, end, quoted: tie.sign === '>' && text[end] === '<' && text[end + 1] === '/' } : null
}
