import { lookup } from '#contracts/lookup.ts'
import type { z } from 'zod'
import type { TraceFacets } from '#contracts/routes/traces.ts'
import { FILTER_FIELDS, filterValuesOf, parseFilter } from '#contracts/filter.ts'

/** A term of the filter's text. `#contracts/filter.ts` defines what terms mean; this file edits the text for facets, chips and completion. */
export interface Piece {
  raw: string
  start: number
  end: number
  negated: boolean
  /** In lower case; null for free text. */
  field: string | null
  values: string[]
  /** `exit:!0`: every value but these. */
  not: boolean
  /** Why the term is invalid; null if it is valid. */
  error: string | null
}

/** Terms and errors in the order of the text. */
export function piecesOf(text: string): Piece[] {
  const { terms, errors } = parseFilter(text)
  const validPieces = terms.map(({ field, negated, start, end, value }) => ({
    raw: text.slice(start, end),
    start,
    end,
    negated,
    field: field === 'text' ? null : field,
    values:
      value.kind === 'any' ? value.values : value.kind === 'text' ? [value.text] : [text.slice(start, end).replace(/^-?[a-z]+:/i, '')],
    not: value.kind === 'any' && value.not,
    error: null,
  }))
  const invalidPieces = errors.map(({ token, start, end, message }) => ({
    raw: token,
    start,
    end,
    negated: token.startsWith('-'),
    field: /^-?([a-z]+):/i.exec(token)?.[1]?.toLowerCase() ?? null,
    values: [],
    not: false,
    error: message,
  }))
  return [...validPieces, ...invalidPieces].toSorted((a, b) => a.start - b.start)
}

/** The words and phrases that a session must have. */
export const searchedWords = (text: string): string[] =>
  piecesOf(text)
    .filter((piece) => piece.field === null && !piece.negated && piece.error === null)
    .flatMap(({ values }) => values)

/** A value in quotes where the grammar needs them. */
export const quoteValue = (value: string): string =>
  value === '' || /[\s",!\\]/.test(value) ? `"${value.replaceAll(/["\\]/g, String.raw`\$&`)}"` : value

/** The values that a field is filtered by: `tier:gold,silver` and `tier:gold tier:silver` are the same. */
export const valuesOf = (text: string, field: string): string[] =>
  piecesOf(text)
    .filter((piece) => piece.field === field && !piece.negated && piece.error === null)
    .flatMap(({ values }) => values)

/** A click on a facet: adds the value to the field's term or removes it. Values of one term are joined by "or". */
export function toggleValue(text: string, field: string, value: string): string {
  const values = valuesOf(text, field)
  return setField(text, field, values.includes(value) ? values.filter((known) => known !== value) : [...values, value])
}

/** Replaces all positive terms of a field with one for these values, at the place of the first; no values removes them. */
export function setField(text: string, field: string, values: readonly string[]): string {
  const term = values.length === 0 ? null : `${field}:${values.map(quoteValue).join(',')}`
  const parts: string[] = []
  let isPlaced = false
  for (const piece of piecesOf(text)) {
    if (piece.field !== field || piece.negated) parts.push(piece.raw)
    else if (!isPlaced && term !== null) {
      parts.push(term)
      isPlaced = true
    }
  }
  if (!isPlaced && term !== null) parts.push(term)
  return parts.join(' ')
}

/** Removes one term, for the × of a chip. */
export const removePiece = (text: string, piece: Pick<Piece, 'start' | 'end'>): string =>
  `${text.slice(0, piece.start).trimEnd()} ${text.slice(piece.end).trimStart()}`.trim()

/** The text before the caret, for completion: the field being typed, or a field's value. */
export interface CompletionContext {
  start: number
  end: number
  negated: boolean
  field: string | null
  prefix: string
}

export function contextAt(text: string, caret: number): CompletionContext {
  const piece = piecesOf(text).find(({ start, end }) => start < caret && caret <= end)
  if (!piece) return { start: caret, end: caret, negated: false, field: null, prefix: '' }
  const before = text.slice(piece.start, caret).replace(/^-/, '')
  const { start, end, negated } = piece
  const colon = piece.field === null ? -1 : before.indexOf(':')
  if (colon < 0) return { start, end, negated, field: null, prefix: before }
  const typedValue = before.slice(colon + 1)
  return { start, end, negated, field: piece.field, prefix: typedValue.slice(typedValue.lastIndexOf(',') + 1).replaceAll('"', '') }
}

/** One offer of the completion list. `text` replaces the term at the caret; after a field alone, its value is offered next. */
export interface Offer {
  text: string
  label: string
  detail: string
}

/** A description of each field, and example values where the archive has none. */
export const WORDS: Partial<Record<string, { detail: string; examples?: readonly string[] }>> = lookup({
  tier: { detail: 'gold, silver, bronze, failed, pending' },
  verification: { detail: 'passed, failed, unclear, none' },
  agent: { detail: 'coding agent' },
  is: { detail: 'session state' },
  has: { detail: 'what the session contains' },
  repo: { detail: 'repository' },
  branch: { detail: 'git branch' },
  model: { detail: 'model used' },
  tool: { detail: 'tool called' },
  tag: { detail: 'your tags' },
  file: { detail: 'file touched' },
  day: { detail: 'start day, such as 2026-11-20 or 2026-11-01..2026-11-20' },
  exit: { detail: 'exit code of a command', examples: ['0', '1', '!0'] },
  cost: { detail: 'US dollars', examples: ['>0.5', '>5', '<0.1'] },
  tokens: { detail: 'all four kinds of tokens', examples: ['>50k', '>1M', '<10k'] },
  calls: { detail: 'tool calls', examples: ['>20', '>100', '<5'] },
  failed: { detail: 'failed tool calls', examples: ['>0', '>5', '=0'] },
  prompts: { detail: 'prompts you typed', examples: ['>5', '=1'] },
  grade: { detail: 'by a model, 0 to 1', examples: ['>=0.75', '<0.5'] },
  quality: { detail: '0 to 1', examples: ['>=0.75', '<0.4'] },
  success: { detail: 'success rate of calls, 0 to 1', examples: ['>=0.9', '<0.6'] },
  age: { detail: 'time since the session ended', examples: ['<1h', '<1d', '<7d', '<30d', '>30d'] },
  duration: { detail: 'time from first to last record', examples: ['>1h', '<5m'] },
})

/** Names of relative times. */
const AGE_NAMES: Record<string, string> = lookup({
  '<1h': 'last hour',
  '<1d': 'last 24 hours',
  '<7d': 'last 7 days',
  '<30d': 'last 30 days',
  '>30d': 'older than 30 days',
})
export const ageName = (value: string): string | null => AGE_NAMES[value] ?? null

/** Counts of real values, by field. */
export type KnownValues = Partial<Pick<z.infer<typeof TraceFacets>, (typeof COUNTED)[number]>>
const COUNTED = ['tier', 'repo', 'agent', 'verification', 'tag', 'tool', 'model'] as const
const isCounted = (field: string): field is (typeof COUNTED)[number] => (COUNTED as readonly string[]).includes(field)

const MAX_OFFERS = 12

/** Fields while a word is typed, then values that occur in the archive, most frequent first. */
export function offersFor(context: CompletionContext, known: KnownValues): Offer[] {
  const prefix = context.prefix.toLowerCase()
  const sign = context.negated ? '-' : ''
  const { field } = context
  if (field === null) {
    return FILTER_FIELDS.filter((name) => name.startsWith(prefix))
      .map((name) => ({ text: `${sign}${name}:`, label: `${name}:`, detail: WORDS[name]?.detail ?? '' }))
      .slice(0, MAX_OFFERS)
  }
  const occurringValues = ((isCounted(field) && known[field]) || []).map(({ value, count }) => ({
    value,
    written: quoteValue(value),
    detail: count.toLocaleString('en-US'),
  }))
  const seen = new Set(occurringValues.map(({ value }) => value))
  const otherValues = [...(filterValuesOf(field) ?? []), ...(WORDS[field]?.examples ?? [])]
    .filter((value) => !seen.has(value))
    .map((value) => ({ value, written: value, detail: ageName(value) ?? '' }))
  return [...occurringValues, ...otherValues]
    .filter(({ value }) => value.toLowerCase().includes(prefix))
    .toSorted((a, b) => Number(b.value.toLowerCase().startsWith(prefix)) - Number(a.value.toLowerCase().startsWith(prefix)))
    .slice(0, MAX_OFFERS)
    .map(({ value, written, detail }) => ({ text: `${sign}${field}:${written} `, label: value, detail }))
}

/** Replaces the term at the caret with an offer. */
export function applyOffer(text: string, context: CompletionContext, offer: Offer): { text: string; caret: number } {
  const head = text.slice(0, context.start)
  const tail = text.slice(context.end)
  const inserted = offer.text.endsWith(' ') && tail.startsWith(' ') ? offer.text.trimEnd() : offer.text
  return { text: `${head}${inserted}${tail}`, caret: head.length + inserted.length }
}
