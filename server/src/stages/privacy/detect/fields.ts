import { lineStart } from './lines.ts'
import { isCoded, numberBehind } from './codes.ts'
import { type Label, labelOf, wordsOf } from './labels.ts'

/** A value and the label it stands beside. Places are those of the text. */
export interface Field extends Label {
  text: string
  start: number
  end: number
  quoted: boolean
  /** How they are tied: `env` is `UPPER_CASE=value`. */
  style: 'assign' | 'env' | 'prose' | 'flag' | 'cell' | 'call' | 'compare'
  /** Whether the label is an identifier (one word of code), not words of a sentence. */
  identifier: boolean
}

const TRAIL =
  /(?:[_-]?(?:\d{1,2}|prod|production|staging|stage|dev|development|testing|old|new|backup|value|val|main|default|primary|secondary|raw|plain|plaintext|str|string|b64|base64|live|real|us|eu|uk|de|nr|no|num|number|nummer|line1|line|1|a|b))+(?![A-Za-z0-9_])/iy
/** Last words of labels that run on into their value: "diagnosed with", "history of". */
const OPEN_ENDED = /^(?:with|from|of|to|for|an|unter|de|à|di|da|aan)$/i
const LINK =
  /(?:is|was|are|c['’]est|reste|remains|stays|bleibt|like|LIKE|=|ist|lautet|est|es|è|é|war|zijn|:|to|auf|à)(?::|\s)\s*(?:(?:now|currently|set to|jetzt|ora|ahora|agora|maintenant|nu) )?/iy
const FOR =
  /(?:for|of|für|fuer|pour|para|per|voor|von|del|de|on|in|at) (?:[^\s:=,.;"'`]{1,40} ){0,6}?[^\s:=,.;"'`()]{1,40}(?=\s*[:=]|\s\([^()\n]{1,40}\)\s?:|\s(?:is|ist|est|es|è|é|was)\s)/iy
const ASIDE = /[ ]?\((?!["'`])[^()"'`\n]{1,40}\)(?=\s*[:=])/y
const TYPED = /(?:\w+(?:[.<[][\w\s|,.]{0,40}[>\]]?)?|&?(?:'static )?str)\s*(?:\|\s*\w+\s*)?=\s*(?=[rbfu]{0,2}["'`])/y
const NAMED =
  /["'`]?\s*[,{}\]]{0,3}\s*(?:\n\s*-?\s*)?(?:(?:description|type|sensitive)\s*=[^\n]*\n\s*){0,3}["'`]?(?:value|val|content|default|defaultValue)["'`]?\s*[:=]\s*/iy
/** What is typed into a field: `.get('#password').type(`, `fill('#password', `, `fill_in "Password", with:`. */
const FILLED =
  /["'`]?\]?["'`]?\s*(?:\)\s*\.(?:\w+\(\)\s*\.)?(?:type|fill|sendKeys|send_keys|setValue|set|val|pressSequentially|enterText|typeText|clearAndType|type_text)\(\s*|,\s*with:\s*|\]["'`],\s*|["'`]\]["'`]\)?,\s*)(?=["'`])/y
/** A value to fall back on: `process.env.X || "…"`, `getenv("X") or "…"`. */
const FALLBACK = /["'`]?[\])]{0,2}\s?(?:\|\||\?\?|or|:-)\s?(?=["'`])/y
/** `"passport": { "number": "…" }` and the same in YAML. */
const INSIDE =
  /["'`]?\s{0,3}[:=]>?\s{0,3}(?:\{[^{}]{0,80}?|\n(?:[ \t]+[\w-]{1,20}:[^\n]{0,40}\n){0,2}?[ \t]+)["'`]?\b(?:number|num|no|nr|id|value|full|text|display)["'`]?\s{0,3}[:=]\s{0,3}/iy
const PREFIX =
  /(?:[rbfuLN@$]{1,2}|\[\]byte\(|&\[\]byte\(|bytes\(|Secret\(|SecretString\(|Buffer\.from\(|new \w+\(|SecretStr\(|String\(|b64decode\(|(?:datetime\.)?date\.fromisoformat\(|(?:Local)?Date(?:Time)?\.parse\(|dayjs\(|moment\()(?=["'`])/y

/** The field whose label ends at `end` in `text`; null when nothing says that a value follows, or the words are no label. */
export function fieldAfter(text: string, wordStart: number, end: number): Field | null {
  let at = end
  const follow = text.charCodeAt(at)
  if (isIdentifier(follow)) {
    TRAIL.lastIndex = at
    const trail = TRAIL.exec(text)
    if (trail === null) return null
    at += trail[0].length
  }
  const tie = mayTie(text, at) ? (siblingAt(text, at, wordStart) ?? tieAt(text, at, wordStart)) : null
  if (tie === null && numberBehind(text, end) === null) return null
  const phraseStart = phraseBefore(text, wordStart, end)
  // `${DB_PASSWORD:?missing}`: a shell's own words
  const isShell = text[phraseStart - 1] === '{' && text[phraseStart - 2] === '$'
  if (isShell && !(text[at] === ':' && /[-=\w]/.test(text[at + 1] ?? ''))) return null
  const phrase = text.slice(phraseStart, end)
  const identifier = phrase.slice(phrase.lastIndexOf(' ') + 1)
  const label =
    labelIn(phrase) ??
    (tie?.sign === ':' && /^(?:key|value|secret)$/.test(phrase) ? labelIn(`${parentOf(text, phraseStart)} ${phrase}`) : null) ??
    (COUNTING.test(text.slice(end, end + 6)) ? labelIn(`${phrase} number`) : null)
  if (label === null) return null
  const isUpper = /^[A-Z][A-Z0-9_]*$/.test(identifier) && (tie?.sign === '=' || tie?.sign === '\t')
  const value = isShell
    ? fallbackIn(text, /[-=]/.test(text[at + 1]!) ? at + 2 : at + 1)
    : ((tie === null ? null : ((isUpper ? lineValue(text, phraseStart, tie) : null) ?? valueAt(text, tie, label.kind))) ??
      codedValue(text, end, label.kind))
  if (value === null) return null
  const style = isUpper ? 'env' : (tie?.style ?? 'prose')
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

/** The key above a key of YAML, one step out: `hmac` in `hmac:⏎  key:`. */
function parentOf(text: string, keyStart: number): string {
  const from = lineStart(text, keyStart, 60)
  const depth = keyStart - from
  if (depth === 0 || text.slice(from, keyStart).trim() !== '') return ''
  const above = text
    .slice(Math.max(0, from - 200), from)
    .split('\n')
    .slice(0, -1)
  for (const line of above.toReversed()) {
    const indent = /^ */.exec(line)![0].length
    if (line.trim() !== '' && indent < depth) return /^ *([\w-]+):\s*$/.exec(line)?.[1] ?? ''
  }
  return ''
}

/** `${DB_PASSWORD:-value}`. */
function fallbackIn(text: string, at: number): { start: number; end: number; quoted: boolean } | null {
  const close = text.indexOf('}', at)
  return close > at && close - at < 100 && !/[\s${"'`]/.test(text.slice(at, close)) ? { start: at, end: close, quoted: true } : null
}

/** `NAME=va"lu'e` alone on its line: signs inside it are its own. */
function lineValue(text: string, phraseStart: number, tie: Tie): { start: number; end: number; quoted: boolean } | null {
  if (!LINE_LEAD.test(text.slice(Math.max(0, phraseStart - 12), phraseStart))) return null
  LINE_VALUE.lastIndex = tie.at
  const match = LINE_VALUE.exec(text)
  return match === null ? null : { start: tie.at, end: tie.at + match[0].length, quoted: false }
}
const LINE_LEAD = /(?:^|\n)[ +-]?(?:export )?$/
const LINE_VALUE = /(?=[^\s"'`$<>{}]{2,60}["'`][^\s"'`,:}\])])[^\s,;`$<>{}]{6,100}(?<![,}"'`])(?=[ \t]*(?:\r?\n|$))/y

/** "Member #: …", "permis n° …": a sign or short word for number. */
const COUNTING = /^\s?(?:#|n\.?[°º.]|no\.|nr\.|№)/i

/** The number behind a label that no tie was found for. */
function codedValue(text: string, end: number, kind: Label['kind']) {
  const at = isCoded(kind) ? numberBehind(text, end) : null
  return at === null ? null : valueAt(text, { at, style: 'prose', sign: '', mustQuote: false }, kind)
}

/** Where the phrase begins that ends in a label: its whole identifier and up to four words before it. */
function phraseBefore(text: string, wordStart: number, end: number): number {
  let at = wordStart
  let words = 0
  const limit = Math.max(0, end - 90)
  while (at > limit) {
    const code = text.charCodeAt(at - 1)
    if (
      isIdentifier(code) ||
      code >= 0xc0 ||
      code === 36 ||
      code === 45 ||
      code === 46 ||
      (code === 39 && isIdentifier(text.charCodeAt(at - 2)))
    )
      at -= 1
    else if (code === 32 && words < 4 && at - 1 > limit && text.charCodeAt(at - 2) !== 32) {
      words += 1
      at -= 1
    } else break
  }
  while (text.charCodeAt(at) === 32) at += 1
  return at
}

const REMEMBERED = 20_000
const remembered = new Map<string, Label | null>()
/** The same phrases come again and again; they are taken apart once. */
function labelIn(phrase: string): Label | null {
  const known = remembered.get(phrase)
  if (known !== undefined) return known
  const label = labelOf(wordsOf(phrase))
  if (remembered.size >= REMEMBERED) remembered.clear()
  remembered.set(phrase, label)
  return label
}

/** Signs that may tie a label to a value, or close it before one; what is not ASCII is always looked at. */
const TYING = new Uint8Array(128)
for (const char of '"\'`])*? \t:|=!>(\n') TYING[char.charCodeAt(0)] = 1
function mayTie(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return TYING[code] === 1 || (code === 45 && text.charCodeAt(at + 1) === 62)
  return !Number.isNaN(code)
}

interface Tie {
  at: number
  style: Field['style']
  sign: string
  /** The value must stand in quotes. */
  mustQuote: boolean
}

/** `"type": "passport", …, "number": "…"`: the label is a value itself, and the number stands under a name of its own. */
function siblingAt(text: string, from: number, wordStart: number): Tie | null {
  const quote = text.charCodeAt(from)
  if ((quote !== 34 && quote !== 39) || text.charCodeAt(from + 1) !== 44) return null
  SIBLING.lastIndex = from
  const match = SIBLING.exec(text)
  if (match === null) return null
  const label = labelIn(text.slice(phraseBefore(text, wordStart, from), from))
  return label !== null && isCoded(label.kind) ? { at: from + match[0].length, style: 'assign', sign: ':', mustQuote: false } : null
}
const SIBLING =
  /["'],\s*(?:["']?\w{1,20}["']?\s?[:=]\s?["'][^"'\n]{0,40}["'],\s*){0,3}["']?\w{0,16}?(?:number|num|no|nr|id|value|identifier)["']?\s?[:=]\s?/iy

/** What ties a label that ends at `from` to a value: `:`, `=`, `=>`, `is`, `(`, `,`, a flag's space, a tag. */
function tieAt(text: string, from: number, wordStart: number): Tie | null {
  // a label of ours, `[API_KEY]`, names nothing
  const isOwn =
    text[from] === ']' &&
    /\[[A-Z_]*$/.test(text.slice(Math.max(0, wordStart - 24), wordStart)) &&
    /^[A-Z]+$/.test(text.slice(wordStart, from))
  return isOwn ? null : tieBehind(text, from, wordStart)
}

function tieBehind(text: string, from: number, wordStart: number): Tie | null {
  let at = from
  const closing = text[at] === '"' || text[at] === "'" || text[at] === '`' ? text[at]! : ''
  if (closing !== '') at += 1
  while (text[at] === ']' || text[at] === '*' || text[at] === ')') at += 1
  if (text[at] === '?' && text[at + 1] === ':') at += 1
  const spaced = at
  while ((text[at] === ' ' || text[at] === '\t') && at - spaced < 40) at += 1
  const sign = text[at]
  const tie = (length: number, style: Field['style'], mustQuote = false): Tie => ({ at: at + length, style, sign: sign ?? '', mustQuote })
  if (sign === '：') return tie(1, 'assign')
  if ((closing !== '' || text[from] === ']' || text[from] === ')') && sign !== ':' && sign !== '=' && sign !== '}') {
    FALLBACK.lastIndex = from
    const fallback = sign === '|' || sign === '?' || sign === 'o' ? FALLBACK.exec(text) : null
    if (fallback !== null) return { at: from + fallback[0].length, style: 'assign', sign: '=', mustQuote: true }
    FILLED.lastIndex = from
    const filled = sign === '.' || sign === ',' || sign === '"' || sign === "'" || sign === '`' ? FILLED.exec(text) : null
    if (filled !== null) return { at: from + filled[0].length, style: 'call', sign: ',', mustQuote: true }
  } else if ((sign === '|' && text[at + 1] === '|') || (sign === '?' && text[at + 1] === '?')) return tie(2, 'assign', true)
  if (sign === ':') {
    if (text[from] === ')' && text[wordStart - 1] === '(') return null // `TODO(username): …`
    INSIDE.lastIndex = from
    const inside = mayHold(text, at + 1) ? INSIDE.exec(text) : null
    if (inside !== null) return { at: from + inside[0].length, style: 'assign', sign: ':', mustQuote: false }
    if (text[at + 1] === ':' || (text[at + 1] === '/' && text[at + 2] === '/')) return null
    if (text[at + 1] === '=') return tie(2, 'assign')
    return tie(text[at + 1] === '*' && text[at + 2] === '*' ? 3 : 1, 'assign')
  }
  if (sign === '=') {
    if (text[at + 1] === '=') return tie(text[at + 2] === '=' ? 3 : 2, 'compare', true)
    if (text[at + 1] === '>') return tie(2, 'assign')
    return tie(1, 'assign')
  }
  if (sign === '!' && text[at + 1] === '=') return tie(text[at + 2] === '=' ? 3 : 2, 'compare', true)
  if (sign === '-' && text[at + 1] === '>') return tie(2, 'assign')
  if (sign === '→') return tie(1, 'prose')
  if (sign === '|') {
    DEFAULT.lastIndex = at
    const fallback = DEFAULT.exec(text)
    if (fallback !== null) return { at: at + fallback[0].length, style: 'assign', sign: '=', mustQuote: true }
  }
  if (
    sign === '|' &&
    closing === '' &&
    (text.slice(Math.max(0, wordStart - 40), wordStart).includes('|') || (at > spaced && beginsLine(text, wordStart)))
  )
    return tie(1, 'cell')
  if (sign === ',') {
    if (closing === '') return null
    NAMED.lastIndex = from
    const named = NAMED.exec(text)
    return named === null ? tie(1, 'call', true) : { at: from + named[0].length, style: 'assign', sign: ':', mustQuote: false }
  }
  if (sign === '(') {
    ASIDE.lastIndex = spaced
    const aside = ASIDE.exec(text)
    if (aside !== null) {
      at = spaced + aside[0].length
      while (text[at] === ' ') at += 1
      return { at: at + 1, style: 'assign', sign: text[at]!, mustQuote: false }
    }
    return tie(1, 'call', true)
  }
  if (
    sign === '>' &&
    closing !== '' &&
    /<[\w:-]+(?:\s+[\w:-]+="[^"<>]*")*\s+(?:name|key|id|property)=["'][\w.-]*$/.test(text.slice(Math.max(0, wordStart - 120), wordStart))
  )
    return tie(1, 'assign')
  if (closing === '' && at > spaced && isElement(text, wordStart)) {
    const attributes = /^(?:\s+[\w:-]+="[^"<>]{0,80}"){1,5}\s*>/.exec(text.slice(spaced, spaced + 240))
    if (attributes !== null) return { at: spaced + attributes[0].length, style: 'assign', sign: '>', mustQuote: false }
    const attribute = ATTRIBUTE.exec(text.slice(spaced, spaced + 240))
    if (attribute !== null) return { at: spaced + attribute[0].length, style: 'assign', sign: '=', mustQuote: true }
  }
  if (sign === '>' && isElement(text, wordStart)) return tie(1, 'assign')
  if (closing !== '' && (sign === '}' || sign === '\n' || sign === undefined || at > from)) {
    NAMED.lastIndex = from
    const named = NAMED.exec(text)
    if (named !== null) return { at: from + named[0].length, style: 'assign', sign: ':', mustQuote: false }
  }
  if (closing === '' && at === spaced && sign === '\n') {
    NAMED.lastIndex = from
    const named = NAMED.exec(text)
    if (named !== null) return { at: from + named[0].length, style: 'assign', sign: ':', mustQuote: false }
    return null
  }
  if (at === spaced || sign === undefined) return null
  // columns of a listing: `API_TOKEN    …`
  if (
    (at - spaced > 1 || text.charCodeAt(spaced) === 9) &&
    from - wordStart > 2 &&
    text.charCodeAt(wordStart) <= 90 &&
    (text.charCodeAt(wordStart - 1) === 95 || text.charCodeAt(from) === 95) &&
    COLUMN.test(text.slice(at, at + 200))
  )
    return { at, style: 'env', sign: '\t', mustQuote: false }
  if ((at - spaced > 1 || text.charCodeAt(spaced) === 9) && beginsLine(text, wordStart) && ROW.test(text.slice(at, at + 120)))
    return { at, style: 'assign', sign: '\t', mustQuote: false }
  if (isLongWord(text, at) && SETTING_SPACE.test(text.slice(Math.max(0, wordStart - 90), wordStart)))
    return { at, style: 'env', sign: '\t', mustQuote: false }
  if (sign !== '-' && isFlag(text, wordStart)) return { at, style: 'flag', sign: ' ', mustQuote: false }
  if (sign === '"' || sign === "'") return { at, style: 'call', sign: ' ', mustQuote: true }
  const begin = text.charCodeAt(at)
  const link = mayBegin(LINKS, begin) ? stickyAt(LINK, text, at) : null
  if (link !== null) return { at: at + link[0].length, style: 'prose', sign: ' ', mustQuote: false }
  const target = mayBegin(FORS, begin) ? stickyAt(FOR, text, at) : null
  if (target !== null) {
    at += target[0].length
    ASIDE.lastIndex = at
    at += ASIDE.exec(text)?.[0].length ?? 0
    while (text[at] === ' ') at += 1
    if (text[at] === ':' || text[at] === '=') return { at: at + 1, style: 'prose', sign: ':', mustQuote: false }
    LINK.lastIndex = at
    const second = LINK.exec(text)
    if (second !== null) return { at: at + second[0].length, style: 'prose', sign: ' ', mustQuote: false }
  }
  if (from - wordStart < 6 && OPEN_ENDED.test(text.slice(wordStart, from))) return { at, style: 'prose', sign: '', mustQuote: false }
  if (isSetting(text, wordStart, from, at)) return { at, style: 'env', sign: ' ', mustQuote: false }
  const first = begin
  // "Phone +49 …", "born 3 May 1980", "IBAN DE…": no tie but the space
  if ((first >= 48 && first <= 57) || first === 43 || first === 35 || (first >= 65 && first <= 90))
    return { at: first === 35 ? at + 1 : at, style: 'prose', sign: '', mustQuote: false }
  return null
}

/** Dockerfile, netrc, the settings of ssh: a name, a space, a value. A look at the words before tells most. */
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

/** Whether the word at `at` ends the name of an element: `<x:password`. */
function isElement(text: string, at: number): boolean {
  const least = Math.max(0, at - 30)
  for (let before = at - 1; before >= least; before -= 1) {
    const code = text.charCodeAt(before)
    if (code === 60) return true
    if (!isIdentifier(code) && code !== 58 && code !== 45) return false
  }
  return false
}

/** Twelve characters without a space. */
function isLongWord(text: string, at: number): boolean {
  for (let index = at + 11; index >= at; index -= 1) if (!(text.charCodeAt(index) > 32)) return false
  return true
}
/** Whether nothing but the words of a label stand before it on its line. */
function beginsLine(text: string, wordStart: number): boolean {
  let at = wordStart
  while (wordStart - at < 40 && (isIdentifier(text.charCodeAt(at - 1)) || text.charCodeAt(at - 1) === 32 || text.charCodeAt(at - 1) === 45))
    at -= 1
  return at === 0 || text.charCodeAt(at - 1) === 10
}
/** One value, of a few words at most, that ends its line. */
const ROW = /^(?![A-Z_%]+ +[A-Z%])[^\s|:=<>(){}[\],]{2,80}(?: [^\s|:=<>(){}[\],]{1,30}){0,3}[ \t]*(?:\r?\n(?![ \t]*[=-]{3})|$)/
/** A value alone behind columns of spaces. */
const COLUMN = /^[^\s|]{8,}(?:[ \t]{2,}|[ \t]*(?:\r?\n|$))/
/** `aws configure set name value`, `setx NAME value`: what a word that names a value may stand behind. */
const SETTING_SPACE =
  /\b(?:config(?:ure)?|secrets?|env|variables?|params?|settings?)(?::|\s)(?:set|add|put)(?:\s--?[\w-]+)*\s[\w.:-]*$|\bsetx\s[\w-]*$|\b(?:setenv|export)\s[\w-]*$|\bset\s(?:-\w+\s)*-\w*[xU]\w*\s(?:-\w+\s)*[\w-]*$|\buser-secrets\sset\s"?[\w:.-]*$/i

/** Whether an object or an indented line follows: the only places where INSIDE is worth a try. */
function mayHold(text: string, at: number): boolean {
  let next = at
  while (text.charCodeAt(next) === 32) next += 1
  const code = text.charCodeAt(next)
  return code === 123 || (code === 10 && text.charCodeAt(next + 1) === 32)
}

const lettersIn = (letters: string) => {
  const table = new Uint8Array(128)
  for (const letter of letters + letters.toUpperCase()) table[letter.charCodeAt(0)] = 1
  return table
}
/** With what LINK and FOR may begin; what is not ASCII is always tried. */
const LINKS = lettersIn('iwa=lez:tcrsb')
const FORS = lettersIn('fpvdioa')
const mayBegin = (table: Uint8Array, code: number) => !(code < 128) || table[code] === 1

function stickyAt(form: RegExp, text: string, at: number): RegExpExecArray | null {
  form.lastIndex = at
  return form.exec(text)
}

/** A filter of templates: `| default('…')`. */
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

/** The attribute of an element that holds its value. */
const ATTRIBUTE = /^(?:\s+[\w:-]+="[^"<>]{0,80}"){0,5}\s+(?:value|number|no|nr|num|extension|display)=(?=")/
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

function valueAt(text: string, tie: Tie, kind: string): { start: number; end: number; quoted: boolean } | null {
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

function isIdentifier(code: number): boolean {
  return (code >= 48 && code <= 57) || (code >= 65 && code <= 90) || (code >= 97 && code <= 122) || code === 95
}
