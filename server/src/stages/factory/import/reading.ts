import { LONG_NUMBERS, type RowError } from '#contracts/entities/dataset.ts'
import { parseShallow } from '#server/shallow-json.ts'

export type FieldError = Omit<RowError, 'row'>
export type Fields = Record<string, unknown>

/** What is found while a row is read. `uses`: columns by other names than ours (`messages[].train`), and what they are read as; null: not at all. */
export interface Reading {
  errors: FieldError[]
  uses: Map<string, string | null>
}

export const isObject = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether a value says something: programs fill the columns that a row lacks with null or nothing. */
export const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && value !== '' && !(Array.isArray(value) && value.length === 0)

/** The value of a JSON object or list in text; other values unchanged. */
export function parseJsonText(value: unknown, { uses }: Pick<Reading, 'uses'>): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value
  try {
    const parsed = parseShallow(value)
    if (!parsed.isExact) uses.set(LONG_NUMBERS, 'text')
    return parsed.value
  } catch {
    return value
  }
}
