import { isIssuedNumber } from './issued-numbers.ts'
import type { Field, Separator } from './field.ts'
import { lineStart } from '../lines.ts'
import { isIdentifier, labelIn, phraseBefore } from './label-phrases.ts'
import { matchAt } from '../match-at.ts'

/** Last words of labels that continue into their value: "diagnosed with", "history of". */
const OPEN_ENDED = /^(?:with|from|of|to|for|an|unter|de|à|di|da|aan)$/i
const LINK =
  /(?:is|was|are|c['’]est|reste|remains|stays|bleibt|like|LIKE|=|ist|lautet|est|es|è|é|war|zijn|:|to|auf|à)(?::|\s)\s*(?:(?:now|currently|set to|jetzt|ora|ahora|agora|maintenant|nu) )?/iy
const FOR =
  /(?:for|of|für|fuer|pour|para|per|voor|von|del|de|on|in|at) (?:[^\s:=,.;"'`]{1,40} ){0,6}?[^\s:=,.;"'`()]{1,40}(?=\s*[:=]|\s\([^()\n]{1,40}\)\s?:|\s(?:is|ist|est|es|è|é|was)\s)/iy
const ASIDE = /[ ]?\((?!["'`])[^()"'`\n]{1,40}\)(?=\s*[:=])/y
const VALUE_KEY =
  /["'`]?\s*[,{}\]]{0,3}\s*(?:\n\s*-?\s*)?(?:(?:description|type|sensitive)\s*=[^\n]*\n\s*){0,3}["'`]?(?:value|val|content|default|defaultValue)["'`]?\s*[:=]\s*/iy
/** Calls that type a value into a field: `.get('#password').type(`, `fill('#password', `, `fill_in "Password", with:`. */
const TYPED_INTO_FIELD =
  /["'`]?\]?["'`]?\s*(?:\)\s*\.(?:\w+\(\)\s*\.)?(?:type|fill|sendKeys|send_keys|setValue|set|val|pressSequentially|enterText|typeText|clearAndType|type_text)\(\s*|,\s*with:\s*|\]["'`],\s*|["'`]\]["'`]\)?,\s*)(?=["'`])/y
/** Operators before a fallback value: `process.env.X || "…"`, `getenv("X") or "…"`. */
const FALLBACK = /["'`]?[\])]{0,2}\s?(?:\|\||\?\?|or|:-)\s?(?=["'`])/y
/** `"passport": { "number": "…" }` and the same in YAML. */
const NESTED_NUMBER =
  /["'`]?\s{0,3}[:=]>?\s{0,3}(?:\{[^{}]{0,80}?|\n(?:[ \t]+[\w-]{1,20}:[^\n]{0,40}\n){0,2}?[ \t]+)["'`]?\b(?:number|num|no|nr|id|value|full|text|display)["'`]?\s{0,3}[:=]\s{0,3}/iy

/** Characters that may separate a label from its value, or close the label. Non-ASCII characters are always tried. */
const SEPARATOR_SIGNS = new Uint8Array(128)
for (const char of '"\'`])*? \t:|=!>(\n') SEPARATOR_SIGNS[char.charCodeAt(0)] = 1
export function mayBeSeparator(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return SEPARATOR_SIGNS[code] === 1 || (code === 45 && text.charCodeAt(at + 1) === 62)
  return !Number.isNaN(code)
}

/** `"type": "passport", …, "number": "…"`: the label is the value of one key, and the number is under another. */
export function siblingAt(text: string, from: number, wordStart: number): Separator | null {
  const quote = text.charCodeAt(from)
  if ((quote !== 34 && quote !== 39) || text.charCodeAt(from + 1) !== 44) return null
  const match = matchAt(SIBLING, text, from)
  if (match === null) return null
  const label = labelIn(text.slice(phraseBefore(text, wordStart, from), from))
  return label !== null && isIssuedNumber(label.kind) ? { at: from + match[0].length, style: 'assign', sign: ':', mustQuote: false } : null
}
const SIBLING =
  /["'],\s*(?:["']?\w{1,20}["']?\s?[:=]\s?["'][^"'\n]{0,40}["'],\s*){0,3}["']?\w{0,16}?(?:number|num|no|nr|id|value|identifier)["']?\s?[:=]\s?/iy

/** The separator after a label that ends at `from`: `:`, `=`, `=>`, `is`, `(`, `,`, a flag's space, a tag. */
export function separatorAt(text: string, from: number, wordStart: number): Separator | null {
  // our placeholder `[API_KEY]` is no label
  const isOwn =
    text[from] === ']' &&
    /\[[A-Z_]*$/.test(text.slice(Math.max(0, wordStart - 24), wordStart)) &&
    /^[A-Z]+$/.test(text.slice(wordStart, from))
  return isOwn ? null : separatorAfter(text, from, wordStart)
}

function separatorAfter(text: string, from: number, wordStart: number): Separator | null {
  let at = from
  const closing = text[at] === '"' || text[at] === "'" || text[at] === '`' ? text[at]! : ''
  if (closing !== '') at += 1
  while (text[at] === ']' || text[at] === '*' || text[at] === ')') at += 1
  if (text[at] === '?' && text[at + 1] === ':') at += 1
  const afterClosing = at
  while ((text[at] === ' ' || text[at] === '\t') && at - afterClosing < 40) at += 1
  const sign = text[at]
  const separator = (length: number, style: Field['style'], mustQuote = false): Separator => ({
    at: at + length,
    style,
    sign: sign ?? '',
    mustQuote,
  })
  if (sign === '：') return separator(1, 'assign')
  if ((closing !== '' || text[from] === ']' || text[from] === ')') && sign !== ':' && sign !== '=' && sign !== '}') {
    const fallback = sign === '|' || sign === '?' || sign === 'o' ? matchAt(FALLBACK, text, from) : null
    if (fallback !== null) return { at: from + fallback[0].length, style: 'assign', sign: '=', mustQuote: true }
    const typedValue =
      sign === '.' || sign === ',' || sign === '"' || sign === "'" || sign === '`' ? matchAt(TYPED_INTO_FIELD, text, from) : null
    if (typedValue !== null) return { at: from + typedValue[0].length, style: 'call', sign: ',', mustQuote: true }
  } else if ((sign === '|' && text[at + 1] === '|') || (sign === '?' && text[at + 1] === '?')) return separator(2, 'assign', true)
  if (sign === ':') {
    if (text[from] === ')' && text[wordStart - 1] === '(') return null // `TODO(username): …`
    const nested = mayMatchNested(text, at + 1) ? matchAt(NESTED_NUMBER, text, from) : null
    if (nested !== null) return { at: from + nested[0].length, style: 'assign', sign: ':', mustQuote: false }
    if (text[at + 1] === ':' || (text[at + 1] === '/' && text[at + 2] === '/')) return null
    if (text[at + 1] === '=') return separator(2, 'assign')
    return separator(text[at + 1] === '*' && text[at + 2] === '*' ? 3 : 1, 'assign')
  }
  if (sign === '=') {
    if (text[at + 1] === '=') return separator(text[at + 2] === '=' ? 3 : 2, 'compare', true)
    if (text[at + 1] === '>') return separator(2, 'assign')
    return separator(1, 'assign')
  }
  if (sign === '!' && text[at + 1] === '=') return separator(text[at + 2] === '=' ? 3 : 2, 'compare', true)
  if (sign === '-' && text[at + 1] === '>') return separator(2, 'assign')
  if (sign === '→') return separator(1, 'prose')
  if (sign === '|') {
    const fallback = matchAt(DEFAULT, text, at)
    if (fallback !== null) return { at: at + fallback[0].length, style: 'assign', sign: '=', mustQuote: true }
  }
  if (
    sign === '|' &&
    closing === '' &&
    (text.slice(Math.max(0, wordStart - 40), wordStart).includes('|') || (at > afterClosing && isAtLineStart(text, wordStart)))
  )
    return separator(1, 'cell')
  if (sign === ',') {
    if (closing === '') return null
    const valueKey = matchAt(VALUE_KEY, text, from)
    return valueKey === null ? separator(1, 'call', true) : { at: from + valueKey[0].length, style: 'assign', sign: ':', mustQuote: false }
  }
  if (sign === '(') {
    const aside = matchAt(ASIDE, text, afterClosing)
    if (aside !== null) {
      at = afterClosing + aside[0].length
      while (text[at] === ' ') at += 1
      return { at: at + 1, style: 'assign', sign: text[at]!, mustQuote: false }
    }
    return separator(1, 'call', true)
  }
  if (
    sign === '>' &&
    closing !== '' &&
    /<[\w:-]+(?:\s+[\w:-]+="[^"<>]*")*\s+(?:name|key|id|property)=["'][\w.-]*$/.test(text.slice(Math.max(0, wordStart - 120), wordStart))
  )
    return separator(1, 'assign')
  if (closing === '' && at > afterClosing && isElement(text, wordStart)) {
    const attributes = /^(?:\s+[\w:-]+="[^"<>]{0,80}"){1,5}\s*>/.exec(text.slice(afterClosing, afterClosing + 240))
    if (attributes !== null) return { at: afterClosing + attributes[0].length, style: 'assign', sign: '>', mustQuote: false }
    const attribute = ATTRIBUTE.exec(text.slice(afterClosing, afterClosing + 240))
    if (attribute !== null) return { at: afterClosing + attribute[0].length, style: 'assign', sign: '=', mustQuote: true }
  }
  if (sign === '>' && isElement(text, wordStart)) return separator(1, 'assign')
  if (closing !== '' && (sign === '}' || sign === '\n' || sign === undefined || at > from)) {
    const valueKey = matchAt(VALUE_KEY, text, from)
    if (valueKey !== null) return { at: from + valueKey[0].length, style: 'assign', sign: ':', mustQuote: false }
  }
  if (closing === '' && at === afterClosing && sign === '\n') {
    const valueKey = matchAt(VALUE_KEY, text, from)
    if (valueKey !== null) return { at: from + valueKey[0].length, style: 'assign', sign: ':', mustQuote: false }
    return null
  }
  if (at === afterClosing || sign === undefined) return null
  // columns of a listing: `API_TOKEN    …`
  if (
    (at - afterClosing > 1 || text.charCodeAt(afterClosing) === 9) &&
    from - wordStart > 2 &&
    text.charCodeAt(wordStart) <= 90 &&
    (text.charCodeAt(wordStart - 1) === 95 || text.charCodeAt(from) === 95) &&
    COLUMN.test(text.slice(at, at + 200))
  )
    return { at, style: 'env', sign: '\t', mustQuote: false }
  if (
    (at - afterClosing > 1 || text.charCodeAt(afterClosing) === 9) &&
    isAtLineStart(text, wordStart) &&
    ROW.test(text.slice(at, at + 120))
  )
    return { at, style: 'assign', sign: '\t', mustQuote: false }
  if (isLongWord(text, at) && SETTING_SPACE.test(text.slice(Math.max(0, wordStart - 90), wordStart)))
    return { at, style: 'env', sign: '\t', mustQuote: false }
  if (sign !== '-' && isFlag(text, wordStart)) return { at, style: 'flag', sign: ' ', mustQuote: false }
  if (sign === '"' || sign === "'") return { at, style: 'call', sign: ' ', mustQuote: true }
  const begin = text.charCodeAt(at)
  const link = mayBegin(LINK_STARTS, begin) ? matchAt(LINK, text, at) : null
  if (link !== null) return { at: at + link[0].length, style: 'prose', sign: ' ', mustQuote: false }
  const target = mayBegin(FOR_STARTS, begin) ? matchAt(FOR, text, at) : null
  if (target !== null) {
    at += target[0].length
    at += matchAt(ASIDE, text, at)?.[0].length ?? 0
    while (text[at] === ' ') at += 1
    if (text[at] === ':' || text[at] === '=') return { at: at + 1, style: 'prose', sign: ':', mustQuote: false }
    const second = matchAt(LINK, text, at)
    if (second !== null) return { at: at + second[0].length, style: 'prose', sign: ' ', mustQuote: false }
  }
  if (from - wordStart < 6 && OPEN_ENDED.test(text.slice(wordStart, from))) return { at, style: 'prose', sign: '', mustQuote: false }
  if (isSetting(text, wordStart, from, at)) return { at, style: 'env', sign: ' ', mustQuote: false }
  const first = begin
  // "Phone +49 …", "born 3 May 1980", "IBAN DE…": only a space in between
  if ((first >= 48 && first <= 57) || first === 43 || first === 35 || (first >= 65 && first <= 90))
    return { at: first === 35 ? at + 1 : at, style: 'prose', sign: '', mustQuote: false }
  return null
}

/** Whether a space separates a name and its value, as in a Dockerfile, netrc or ssh settings. */
function isSetting(text: string, wordStart: number, from: number, at: number): boolean {
  const isHost = from - wordStart === 4 || from - wordStart === 8
  let before = wordStart - 1
  while (isIdentifier(text.charCodeAt(before))) before -= 1
  if (text.charCodeAt(before) !== 32 && !isHost) return false
  const line = () => text.slice(lineStart(text, wordStart, 160), wordStart)
  const last = text.charCodeAt(before - 1)
  if ((last === 86 || last === 71) && /^[+-]?\s*(?:ENV|ARG) \w*$/.test(line())) return true
  if (
    isHost &&
    /^(?:User|HostName)$/.test(text.slice(wordStart, from)) &&
    /^[ \t]{0,8}$/.test(line()) &&
    /^\S{2,63}[ \t]*(?:\r?\n|$)/.test(text.slice(at, at + 80))
  )
    return true
  if (before !== wordStart - 1) return false
  while (text.charCodeAt(before - 1) > 32 && wordStart - before < 160) before -= 1
  return text.startsWith('login', before - 6) && /\bmachine \S+ login \S+ $/.test(line())
}

/** Whether the word at `at` is the last word of an element's name: `<x:password`. */
function isElement(text: string, at: number): boolean {
  const least = Math.max(0, at - 30)
  for (let before = at - 1; before >= least; before -= 1) {
    const code = text.charCodeAt(before)
    if (code === 60) return true
    if (!isIdentifier(code) && code !== 58 && code !== 45) return false
  }
  return false
}

/** Whether the next twelve characters contain no space. */
function isLongWord(text: string, at: number): boolean {
  for (let index = at + 11; index >= at; index -= 1) if (!(text.charCodeAt(index) > 32)) return false
  return true
}
/** Whether only words of the label precede `wordStart` on its line. */
function isAtLineStart(text: string, wordStart: number): boolean {
  let at = wordStart
  while (wordStart - at < 40 && (isIdentifier(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 32 || text.charCodeAt(at - 1) === 45))
    at -= 1
  return at === 0 || text.charCodeAt(at - 1) === 10
}
/** A value of a few words that ends its line. */
const ROW = /^(?![A-Z_%]+ +[A-Z%])[^\s|:=<>(){}[\],]{2,80}(?: [^\s|:=<>(){}[\],]{1,30}){0,3}[ \t]*(?:\r?\n(?![ \t]*[=-]{3})|$)/
/** A single value after column spacing. */
const COLUMN = /^[^\s|]{8,}(?:[ \t]{2,}|[ \t]*(?:\r?\n|$))/
/** Commands that take a name and a value: `aws configure set name value`, `setx NAME value`. */
const SETTING_SPACE =
  /\b(?:config(?:ure)?|secrets?|env|variables?|params?|settings?)(?::|\s)(?:set|add|put)(?:\s--?[\w-]+)*\s[\w.:-]*$|\bsetx\s[\w-]*$|\b(?:setenv|export)\s[\w-]*$|\bset\s(?:-\w+\s)*-\w*[xU]\w*\s(?:-\w+\s)*[\w-]*$|\buser-secrets\sset\s"?[\w:.-]*$/i

/** A cheap check for NESTED_NUMBER, which only matches before an object or an indented line. */
function mayMatchNested(text: string, at: number): boolean {
  let next = at
  while (text.charCodeAt(next) === 32) next += 1
  const code = text.charCodeAt(next)
  return code === 123 || (code === 10 && text.charCodeAt(next + 1) === 32)
}

const letterTable = (letters: string) => {
  const table = new Uint8Array(128)
  for (const letter of letters + letters.toUpperCase()) table[letter.charCodeAt(0)] = 1
  return table
}
/** First characters of LINK and FOR. Non-ASCII characters are always tried. */
const LINK_STARTS = letterTable('iwa=lez:tcrsb')
const FOR_STARTS = letterTable('fpvdioa')
const mayBegin = (table: Uint8Array, code: number) => !(code < 128) || table[code] === 1

/** A template filter: `| default('…')`. */
const DEFAULT = /\|\s?default\(\s?(?=["'])/y
const FLAG_CHARS = 40
/** Whether the word at `at` is, or ends, an option: `--db-password`. */
function isFlag(text: string, at: number): boolean {
  for (let before = at - 1; before > at - FLAG_CHARS && before > 0; before -= 1) {
    const code = text.charCodeAt(before)
    if (code === 45 && text.charCodeAt(before - 1) === 45) return true
    if (code !== 45 && !isIdentifier(code)) return false
  }
  return false
}

/** An attribute that contains an element's value. */
const ATTRIBUTE = /^(?:\s+[\w:-]+="[^"<>]{0,80}"){0,5}\s+(?:value|number|no|nr|num|extension|display)=(?=")/
