/** JSON whose numbers lose nothing: one that a double cannot hold stays text. `calls/values.py` of the Python package does the same. */

const DIGITS = 17
const LONGEST_LITERAL = 400
/** Where such a number may be. Only then the slower parser is used. */
const MAY_LOSE = /(?:^|[:,[\s])-?(?:\d[\d.]{15,}|\d[\d.]*[eE][+-]?\d{3})/

/** `isExact`: false if a number is kept as its text. Throws like `JSON.parse`. */
export function parseExact(text: string): { value: unknown; isExact: boolean } {
  if (!MAY_LOSE.test(text)) return { value: JSON.parse(text), isExact: true }
  let isExact = true
  const value: unknown = JSON.parse(text, ((_key: string, one: unknown, { source }: { source?: string }) => {
    if (typeof one !== 'number' || source === undefined) return one
    const kept = exactNumber(one, source)
    isExact &&= kept === one
    return kept
  }) as (key: string, value: unknown) => unknown)
  return { value, isExact }
}

/** The number, or its text if it is too large, too small, or has more digits than a double. */
export function exactNumber(value: number, literal: string): number | string {
  if (/^-?\d+$/.test(literal)) return Number.isSafeInteger(value) || String(value) === literal ? value : literal
  if (literal.length > LONGEST_LITERAL) return literal
  const digits = literal.replace(/[eE].*|[-.]/g, '').replace(/^0+|0+$/g, '')
  return Number.isFinite(value) && digits.length <= DIGITS && (value !== 0 || digits === '') ? value : literal
}
