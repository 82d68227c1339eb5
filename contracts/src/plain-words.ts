import { lookup } from './lookup.ts'
import type { z } from 'zod'

const KINDS: Partial<Record<string, string>> = lookup({
  number: 'This is not a number.',
  int: 'This is not a whole number.',
  string: 'This is not text.',
  boolean: 'This is neither true nor false.',
  array: 'This is not a list.',
  object: 'This is not an object.',
  record: 'This is not an object.',
})
const FORMATS: Partial<Record<string, string>> = lookup({
  url: 'This is not a web address.',
  datetime: 'This is not a time such as 2026-01-31T12:00:00Z.',
  date: 'This is not a date such as 2026-01-31.',
  email: 'This is not an e-mail address.',
})
/** Default messages of zod. */
const ZOD_MESSAGE = /^(?:Invalid |Too big: |Too small: |Unrecognized keys?: )|^Invalid input$/

/** Describes a validation error as a sentence for users. Keeps the custom message of a schema. */
export function plainWords(issue: z.core.$ZodIssue): string {
  const words = ZOD_MESSAGE.test(issue.message) ? wordsOf(issue) : issue.message
  return /[.!?]$/.test(words) ? words : `${words}.`
}

function wordsOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.message.endsWith('received undefined') ? 'This is missing.' : (KINDS[issue.expected] ?? 'This value is not valid here.')
    case 'too_big':
      return `${boundOf(issue.origin, issue.inclusive === false ? 'Less than' : 'At most', issue.maximum)} allowed.`
    case 'too_small':
      if (isWhole(issue.origin) && issue.minimum === 1) return issue.origin === 'string' ? 'This is empty.' : 'At least one is required.'
      return `${boundOf(issue.origin, issue.inclusive === false ? 'More than' : 'At least', issue.minimum)} needed.`
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'This does not have the required format.'
    case 'not_multiple_of':
      return `This is not a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return `Unknown: ${issue.keys.join(', ')}.`
    case 'invalid_value':
      return issue.values.length === 1
        ? `This must be ${String(issue.values[0])}.`
        : `This must be one of ${issue.values.map(String).join(', ')}.`
    case 'invalid_union': {
      const options = (issue as { options?: unknown[] }).options
      if (options) return `This must be one of ${options.map(String).join(', ')}.`
      // the intended option is the one whose error is not in its type
      const intended = issue.errors.filter(
        ([first]) => first !== undefined && first.code !== 'invalid_type' && first.code !== 'invalid_value',
      )
      return intended.length === 1 ? plainWords(intended[0]![0]!) : 'This value is not valid here.'
    }
    default:
      return 'This value is not valid here.'
  }
}

const isWhole = (origin: string) => origin === 'string' || origin === 'array' || origin === 'set' || origin === 'map'

function boundOf(origin: string, how: string, bound: number | bigint): string {
  if (!isWhole(origin)) return `${how} ${bound} is`
  const unit = origin === 'string' ? 'character' : 'entry'
  if (Number(bound) === 1) return `${how} one ${unit} is`
  return `${how} ${bound} ${unit === 'entry' ? 'entries' : 'characters'} are`
}
