import { closest } from './closest.ts'
import { Agent, Tier, Verification } from './entities/common.ts'
import { OutcomeLabel } from './entities/outcome.ts'

/**
 * The filter language of the traces list. Terms are joined by "and":
 *
 *     tier:gold,silver repo:api -tag:private exit:!0 cost:>0.5 tokens:>50k age:<7d is:live has:test-pass "free text" word
 *
 * Values of one term are joined by "or". So are several terms of a field that has only one value per session
 * (`tier:gold tier:silver`). A leading minus excludes; two are a flag, which is text (`--no-verify`). Numbers accept `>`, `>=`, `<`, `<=`, `=` or `low..high`, with `k`
 * and `M` as multipliers; times need a unit (s m h d w y). `day:2026-11-21` is the day when a session began, in the time
 * zone of this machine; `day:2026-11-01..2026-11-21` is a range of days. Other text is a word, or a phrase in quotes.
 */
export interface FilterTerm {
  field: FilterField
  negated: boolean
  /** Position of the term in the text, in UTF-16 units, `end` exclusive. */
  start: number
  end: number
  value: FilterValue
}

export type FilterValue =
  | { kind: 'any'; values: string[]; not: boolean }
  /** Bounds in the unit of the field (USD, tokens, milliseconds, counts, 0–1); null means no bound. */
  | { kind: 'range'; low: number | null; lowOpen: boolean; high: number | null; highOpen: boolean }
  | { kind: 'text'; text: string; phrase: boolean }

export interface FilterError {
  token: string
  start: number
  end: number
  message: string
}

export interface ParsedFilter {
  terms: FilterTerm[]
  errors: FilterError[]
}

type Kind =
  | { kind: 'words' }
  | { kind: 'exit' }
  | { kind: 'day' }
  | { kind: 'enum'; of: readonly string[] }
  | { kind: 'number' }
  | { kind: 'time' }

const words = { kind: 'words' } as const
const number = { kind: 'number' } as const
const time = { kind: 'time' } as const

export const IS_VALUES = [
  'live',
  'ended',
  'interrupted',
  'sample',
  'user-tier',
  'unverified',
  'unsure',
  'hooks-only',
  'run',
  'in-dataset',
  'held-out',
  'trained',
  'proven',
  'used',
] as const
/** The user's own work: no agent runs. */
export const OWN_WORK = '-is:run'

export const HAS_VALUES = [
  'test-pass',
  'test-fail',
  'verification',
  'commit',
  'subagent',
  'error',
  'failure-run',
  'rejected',
  'problem',
  'note',
  'tag',
  'cost',
  'grade',
] as const

const KINDS = {
  tier: { kind: 'enum', of: Tier.options },
  verification: { kind: 'enum', of: Verification.options },
  outcome: { kind: 'enum', of: OutcomeLabel.options },
  agent: { kind: 'enum', of: Agent.options },
  is: { kind: 'enum', of: IS_VALUES },
  has: { kind: 'enum', of: HAS_VALUES },
  repo: words,
  branch: words,
  model: words,
  tool: words,
  tag: words,
  file: words,
  day: { kind: 'day' },
  exit: { kind: 'exit' },
  cost: number,
  tokens: number,
  calls: number,
  failed: number,
  prompts: number,
  quality: number,
  grade: number,
  success: number,
  age: time,
  duration: time,
} as const satisfies Record<string, Kind>

export type FilterField = keyof typeof KINDS | 'text'
export const FILTER_FIELDS = Object.keys(KINDS) as Exclude<FilterField, 'text'>[]

/** The possible values of a field, for completion; null if they depend on the archive. */
export function filterValuesOf(field: string): readonly string[] | null {
  const kind = kindOf(field)
  return kind?.kind === 'enum' ? kind.of : null
}

/** Example filters by where they are shown; a test parses and runs each. */
export const FILTER_EXAMPLES = {
  list: 'tier:gold tool:Bash age:<7d',
  sources: 'tool:Bash day:2026-01..2026-06',
  pairs: 'tier:gold,silver',
  command: 'tier:gold tool:Bash "free text"',
} as const

// Optional minus, optional `field:`, then quoted and unquoted pieces up to the next space. An open quote extends to the end.
const TOKEN = /(-)?(?:([A-Za-z]+):)?((?:"(?:[^"\\]|\\[^])*(?:"|$)|[^\s"])*)/y
const UNIT_MS = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
  w: 604_800_000,
  y: 31_557_600_000,
} as const
const FACTOR = { '': 1, k: 1000, m: 1_000_000 } as const

/** Each word or value is an SQL condition, and SQLite limits their nesting. */
const MAX_VALUES = 100

/** Parses any text. Invalid parts are in `errors`; the rest is still used. Never throws. */
export function parseFilter(text: string): ParsedFilter {
  const terms: FilterTerm[] = []
  const errors: FilterError[] = []
  let values = 0
  const add = (term: FilterTerm) => {
    values += term.value.kind === 'any' ? term.value.values.length : 1
    if (values <= MAX_VALUES) terms.push(term)
  }
  for (let at = 0; at < text.length;) {
    if (/\s/.test(text[at]!)) {
      at += 1
      continue
    }
    TOKEN.lastIndex = at
    const match = TOKEN.exec(text)
    const token = match?.[0] || text[at]!
    const start = at
    const end = start + token.length
    at = end
    const fail = (message: string) => errors.push({ token, start, end, message })
    const negated = match?.[1] === '-'
    const name = match?.[2]?.toLowerCase()
    const raw = match?.[3] ?? ''
    if (name === undefined) {
      const isFlag = negated && (raw === '' || raw.startsWith('-'))
      const value = unquote(isFlag ? `-${raw}` : raw)
      if (value.trim() !== '')
        add({
          field: 'text',
          negated: negated && !isFlag,
          start,
          end,
          value: { kind: 'text', text: value, phrase: raw.startsWith('"') },
        })
      continue
    }
    const kind = kindOf(name)
    if (!kind) {
      fail(`Unknown field "${name}". ${suggestion(name, FILTER_FIELDS, 'Put text with a colon in quotes. Fields')}`)
      continue
    }
    if (raw === '') {
      fail(`Enter a value after "${name}:".`)
      continue
    }
    const value = readValue(kind, name, raw)
    if (typeof value === 'string') fail(value)
    else add({ field: name as FilterField, negated, start, end, value })
  }
  if (values > MAX_VALUES) {
    const start = terms.at(-1)?.end ?? 0
    errors.push({
      token: text.slice(start),
      start,
      end: text.length,
      message: `A filter can have at most ${MAX_VALUES} words and values.`,
    })
  }
  return { terms, errors }
}

/** Converts terms to text; parsing the text returns the same terms. */
export function formatFilter(terms: readonly FilterTerm[]): string {
  return terms.map((term) => `${term.negated ? '-' : ''}${formatTerm(term)}`).join(' ')
}

function formatTerm({ field, value }: FilterTerm): string {
  if (value.kind === 'text') return value.phrase || /[\s":\\]|^-/.test(value.text) ? quoted(value.text) : value.text
  if (value.kind === 'any')
    return `${field}:${value.not ? '!' : ''}${value.values.map((one) => (/[\s",!\\]/.test(one) || !one ? quoted(one) : one)).join(',')}`
  const isTime = KINDS[field as keyof typeof KINDS].kind === 'time'
  const show = (bound: number) => (isTime ? `${plainNumber(bound / 1000)}s` : plainNumber(bound))
  const { low, high, lowOpen, highOpen } = value
  if (low !== null && high !== null) return `${field}:${low === high ? '=' : `${show(low)}..`}${show(high)}`
  if (low !== null) return `${field}:${lowOpen ? '>' : '>='}${show(low)}`
  return `${field}:${highOpen ? '<' : '<='}${show(high!)}`
}

const quoted = (text: string) => `"${text.replaceAll(/["\\]/g, String.raw`\$&`)}"`
/** Formats without an exponent, which the grammar does not have. */
const plainNumber = (value: number) => (/e/.test(String(value)) ? value.toFixed(20).replace(/\.?0+$/, '') : String(value))

function kindOf(field: string): Kind | null {
  return Object.hasOwn(KINDS, field) ? KINDS[field as keyof typeof KINDS] : null
}

/** "Did you mean tier?", or the whole list if no candidate is close. */
function suggestion(typed: string, candidates: readonly string[], noun: string): string {
  const near = closest(typed, candidates)
  return near === null ? `${noun}: ${candidates.join(', ')}.` : `Did you mean ${near}?`
}

/** Returns the value, or an error message. */
function readValue(kind: Kind, name: string, raw: string): FilterValue | string {
  if (kind.kind === 'number' || kind.kind === 'time') return readRange(kind.kind, name, unquote(raw))
  const not = kind.kind === 'exit' && raw.startsWith('!')
  const values = splitList(not ? raw.slice(1) : raw)
  if (values.length === 0 || values.includes('')) return `"${name}:${raw}" has an empty value.`
  if (kind.kind === 'enum') {
    const lower = values.map((value) => value.toLowerCase())
    const unknown = lower.filter((value) => !kind.of.includes(value))
    if (unknown.length > 0)
      return unknown.map((value) => `Unknown ${name} value "${value}". ${suggestion(value, kind.of, 'Values')}`).join(' ')
    return { kind: 'any', values: lower, not: false }
  }
  const invalidDays = kind.kind === 'day' ? values.filter((value) => !isDays(value)) : []
  if (invalidDays.length > 0)
    return `${invalidDays.map((value) => `"${value}" is not a date.`).join(' ')} Examples: day:2026-11-21, day:2026-11, day:2026-11-01..2026-11-21.`
  if (kind.kind === 'exit' && values.some((value) => !/^-?\d{1,10}$/.test(value)))
    return 'An exit code is a whole number. Examples: exit:1, exit:!0.'
  return { kind: 'any', values, not }
}

/** Whether the text is a day, a month or a year, or a range of them. */
function isDays(text: string): boolean {
  const parts = text.split('..')
  return parts.length <= 2 && parts.every((part) => /^\d{4}(-\d\d){0,2}$/.test(part) && !Number.isNaN(Date.parse(part)))
}

function readRange(kind: 'number' | 'time', name: string, text: string): FilterValue | string {
  const read = kind === 'time' ? readTime : readNumber
  const example = kind === 'time' ? `${name}:<7d` : `${name}:>10`
  const wrong = `"${text}" is not a ${kind === 'time' ? 'duration' : 'number'}. Example: ${example} (${kind === 'time' ? 'units: s, m, h, d, w, y' : 'k = thousand, M = million'}).`
  const bounds = text.split('..')
  if (bounds.length === 2) {
    const [low, high] = bounds.map(read)
    if (low == null || high == null) return wrong
    if (low > high) return `${bounds[0]} is more than ${bounds[1]}.`
    return { kind: 'range', low, lowOpen: false, high, highOpen: false }
  }
  const [, sign, rest] = /^(>=|<=|>|<|=)?(.*)$/s.exec(text)!
  const bound = read(rest!)
  if (bound === null) return wrong
  if (sign === '>' || sign === '>=') return { kind: 'range', low: bound, lowOpen: sign === '>', high: null, highOpen: false }
  if (sign === '<' || sign === '<=') return { kind: 'range', low: null, lowOpen: false, high: bound, highOpen: sign === '<' }
  return { kind: 'range', low: bound, lowOpen: false, high: bound, highOpen: false }
}

function readNumber(text: string): number | null {
  const match = /^\$?(\d{1,15}(?:\.\d{1,20})?)([km]?)$/i.exec(text)
  return match ? Number(match[1]) * FACTOR[match[2]!.toLowerCase() as keyof typeof FACTOR] : null
}

function readTime(text: string): number | null {
  const match = /^(\d{1,12}(?:\.\d{1,20})?)([smhdwy])$/i.exec(text)
  return match ? Number(match[1]) * UNIT_MS[match[2]!.toLowerCase() as keyof typeof UNIT_MS] : null
}

/** Splits at commas outside quotes and removes the quotes. */
function splitList(raw: string): string[] {
  const parts = ['']
  let inside = false
  for (let index = 0; index < raw.length; index += 1) {
    const char = raw[index]!
    if (char === '\\' && inside && index + 1 < raw.length) parts[parts.length - 1] += char + raw[(index += 1)]!
    else if (char === ',' && !inside) parts.push('')
    else {
      if (char === '"') inside = !inside
      parts[parts.length - 1] += char
    }
  }
  return parts.map(unquote)
}

/** Removes quotes; inside them, a backslash escapes the next character. */
function unquote(raw: string): string {
  return raw.replaceAll(/"((?:[^"\\]|\\[^])*)(?:"|$)/g, (_, inner: string) => inner.replaceAll(/\\([^])/g, '$1'))
}
