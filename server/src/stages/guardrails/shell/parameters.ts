import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { globMatches } from './glob.ts'
import { UNKNOWN_TEXT, literalText, isKnown, joinTexts, NO_TEXT, type Text, UNKNOWN } from './text.ts'
import type { Value, Variables } from './variables.ts'

export interface Lookup {
  variables: Variables
  positional: readonly Text[]
  /** A word as one text, without splitting. */
  expand(word: Word): Text
  /** Counts work; throws `TooMuch` above the limit. */
  charge(characters: number): void
}

/** Patterns of `#`, `%` and `/` are tried at each position of the value; the result for a longer value is unknown. */
const LONGEST_MATCHED = 2_000

/** The value of a variable or a positional parameter. */
export function valueOf(name: string, { variables, positional }: Lookup): Value {
  if (name === '@' || name === '*') return positional
  if (/^[1-9]\d*$/.test(name)) return positional[Number(name) - 1] ? [positional[Number(name) - 1]!] : variables.get(`positional ${name}`)
  return variables.get(name)
}

/** The elements of `${name…}`, and whether they stay separate words inside quotes (`${A[@]}`). */
export function parameterValue(part: ParameterExpansionPart, lookup: Lookup): { value: Value; isList: boolean } {
  const index = part.index?.text
  const isList = part.parameter === '@' || index === '@'
  const isAll = isList || part.parameter === '*' || index === '*'
  let value = valueOf(part.parameter, lookup)
  if (part.prefix === '#') return { value: [literalText('1')], isList: false }
  if (index !== undefined && !isAll) value = /^\d+$/.test(index) ? value.slice(Number(index), Number(index) + 1) : [joinTexts(value, ' ')]
  else if (!isAll) value = value.slice(0, 1)
  if (part.prefix === '!') {
    const name = joinTexts(value).text
    value = isKnown(joinTexts(value)) ? valueOf(name, lookup) : [UNKNOWN_TEXT]
  }
  if (part.operation) value = applyOperation(part.parameter, part.operation, value, lookup)
  return { value, isList }
}

function applyOperation(parameter: string, operation: ParameterOperation, value: Value, lookup: Lookup): Value {
  const mapTexts = (change: (text: string) => string | null): Value =>
    value.map((element) => {
      const changed = isKnown(element) && element.text.length <= LONGEST_MATCHED ? change(element.text) : null
      return changed === null ? { text: UNKNOWN, origin: element.origin } : { text: changed, origin: element.origin }
    })
  const literal = (word: Word | undefined): string | null => {
    const text = word ? lookup.expand(word) : NO_TEXT
    return isKnown(text) ? text.text : null
  }
  switch (operation.type) {
    case 'Default': {
      const { operator, operand } = operation
      const isEmpty = value.every(({ text }) => text.replaceAll(UNKNOWN, '') === '')
      const operandText = lookup.expand(operand)
      if (operator.endsWith('+')) return [operandText]
      if (operator.endsWith('?')) return isEmpty ? [{ text: `some${UNKNOWN}`, origin: 'machine' }] : value
      if (!isEmpty) return value
      if (operator.endsWith('=')) lookup.variables.set(parameter, [operandText], true)
      return [operandText]
    }
    case 'Remove': {
      const { operator, operand } = operation
      const pattern = literal(operand)
      return mapTexts((text) => {
        if (pattern === null) return null
        lookup.charge(text.length * (pattern.includes('*') ? text.length * pattern.length : 1))
        return removeAffix(text, operator, pattern)
      })
    }
    case 'Replace': {
      const { operator } = operation
      const [pattern, by] = [literal(operation.pattern), literal(operation.replacement)]
      return mapTexts((text) => (pattern === null || by === null ? null : replacePattern(text, operator, pattern, by)))
    }
    case 'Slice': {
      const [offset, length] = [literal(operation.offset), operation.length ? literal(operation.length) : '']
      if (offset === null || length === null || !/^\s*-?\d+\s*$/.test(offset) || !/^\s*(?:-?\d+)?\s*$/.test(length))
        return mapTexts(() => null)
      const slice = <T>(all: { slice(from: number, to?: number): T }, count: number) => {
        const from = Number(offset) < 0 ? count + Number(offset) : Number(offset)
        return all.slice(from, length.trim() === '' ? undefined : Number(length) < 0 ? count + Number(length) : from + Number(length))
      }
      if (parameter === '@' || parameter === '*') return slice(value.slice(), value.length)
      return mapTexts((text) => slice(text, text.length))
    }
    case 'CaseModification':
      return mapTexts((text) => {
        const change = operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase()
        return operation.operator.length === 2 ? change : change.slice(0, 1) + text.slice(1)
      })
    case 'Transform':
      return literal(operation.operand) === 'P' || literal(operation.operand) === 'E' ? mapTexts(() => null) : value
    default:
      return [UNKNOWN_TEXT]
  }
}

function removeAffix(text: string, operator: string, pattern: string): string {
  const lengths = Array.from({ length: text.length + 1 }, (_, index) => index)
  const order = operator.length === 2 ? lengths.toReversed() : lengths
  for (const length of order) {
    if (operator.startsWith('#') && globMatches(pattern, text.slice(0, length))) return text.slice(length)
    if (operator.startsWith('%') && globMatches(pattern, text.slice(text.length - length))) return text.slice(0, text.length - length)
  }
  return text
}

/** Replaces plain text, or a pattern that matches one character; null for other patterns. */
function replacePattern(text: string, operator: string, pattern: string, by: string): string | null {
  if (pattern === '') return text
  if (/[*?[]/.test(pattern)) {
    if (pattern.length > 1 && !/^\[[^\]]+\]$/.test(pattern)) return null
    const replaced = Array.from(text, (char) => (globMatches(pattern, char) ? by : char))
    return pattern === '*' ? by : operator === '//' ? replaced.join('') : null
  }
  if (operator === '/#') return text.startsWith(pattern) ? by + text.slice(pattern.length) : text
  if (operator === '/%') return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text
  return operator === '//' ? text.split(pattern).join(by) : text.replace(pattern, () => by)
}
