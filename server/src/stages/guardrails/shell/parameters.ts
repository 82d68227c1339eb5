import type { ParameterExpansionPart, ParameterOperation, Word } from 'unbash'
import { globMatches } from './glob.ts'
import { elsewhere, here, isKnown, joined, NOTHING, type Text, UNKNOWN } from './text.ts'
import type { Value, Variables } from './variables.ts'

export interface Lookup {
  variables: Variables
  positional: readonly Text[]
  /** A word as one text, without splitting. */
  expand(word: Word): Text
  /** Counts work; throws if it becomes too much. */
  charge(characters: number): void
}

/** Patterns of `#`, `%` and `/` are tried at each place of the value; a longer value is left unknown. */
const LONGEST_MATCHED = 2_000

/** The value of a variable or a positional parameter. */
export function valueOf(name: string, { variables, positional }: Lookup): Value {
  if (name === '@' || name === '*') return positional
  if (/^[1-9]\d*$/.test(name)) return positional[Number(name) - 1] ? [positional[Number(name) - 1]!] : variables.get(`positional ${name}`)
  return variables.get(name)
}

/** `${name…}`: its elements, and whether they stay apart inside quotes (`${A[@]}`). */
export function parameterValue(part: ParameterExpansionPart, lookup: Lookup): { value: Value; isList: boolean } {
  const index = part.index?.text
  const isList = part.parameter === '@' || index === '@'
  const isAll = isList || part.parameter === '*' || index === '*'
  let value = valueOf(part.parameter, lookup)
  if (part.prefix === '#') return { value: [here('1')], isList: false }
  if (index !== undefined && !isAll) value = /^\d+$/.test(index) ? value.slice(Number(index), Number(index) + 1) : [joined(value, ' ')]
  else if (!isAll) value = value.slice(0, 1)
  if (part.prefix === '!') {
    const name = joined(value).text
    value = isKnown(joined(value)) ? valueOf(name, lookup) : [elsewhere]
  }
  if (part.operation) value = operated(part.parameter, part.operation, value, lookup)
  return { value, isList }
}

function operated(parameter: string, operation: ParameterOperation, value: Value, lookup: Lookup): Value {
  const each = (change: (text: string) => string | null): Value =>
    value.map((one) => {
      const changed = isKnown(one) && one.text.length <= LONGEST_MATCHED ? change(one.text) : null
      return changed === null ? { text: UNKNOWN, origin: one.origin } : { text: changed, origin: one.origin }
    })
  const literal = (word: Word | undefined): string | null => {
    const text = word ? lookup.expand(word) : NOTHING
    return isKnown(text) ? text.text : null
  }
  switch (operation.type) {
    case 'Default': {
      const { operator, operand } = operation
      const isEmpty = value.every(({ text }) => text.replaceAll(UNKNOWN, '') === '')
      const other = lookup.expand(operand)
      if (operator.endsWith('+')) return [other]
      if (operator.endsWith('?')) return isEmpty ? [{ text: `some${UNKNOWN}`, origin: 'elsewhere' }] : value
      if (!isEmpty) return value
      if (operator.endsWith('=')) lookup.variables.set(parameter, [other], true)
      return [other]
    }
    case 'Remove': {
      const { operator, operand } = operation
      const pattern = literal(operand)
      return each((text) => {
        if (pattern === null) return null
        lookup.charge(text.length * (pattern.includes('*') ? text.length * pattern.length : 1))
        return removed(text, operator, pattern)
      })
    }
    case 'Replace': {
      const { operator } = operation
      const [pattern, by] = [literal(operation.pattern), literal(operation.replacement)]
      return each((text) => (pattern === null || by === null ? null : replaced(text, operator, pattern, by)))
    }
    case 'Slice': {
      const [offset, length] = [literal(operation.offset), operation.length ? literal(operation.length) : '']
      if (offset === null || length === null || !/^\s*-?\d+\s*$/.test(offset) || !/^\s*(?:-?\d+)?\s*$/.test(length)) return each(() => null)
      const slice = <T>(all: { slice(from: number, to?: number): T }, count: number) => {
        const from = Number(offset) < 0 ? count + Number(offset) : Number(offset)
        return all.slice(from, length.trim() === '' ? undefined : Number(length) < 0 ? count + Number(length) : from + Number(length))
      }
      if (parameter === '@' || parameter === '*') return slice(value.slice(), value.length)
      return each((text) => slice(text, text.length))
    }
    case 'CaseModification':
      return each((text) => {
        const change = operation.operator.startsWith('^') ? text.toUpperCase() : text.toLowerCase()
        return operation.operator.length === 2 ? change : change.slice(0, 1) + text.slice(1)
      })
    case 'Transform':
      return literal(operation.operand) === 'P' || literal(operation.operand) === 'E' ? each(() => null) : value
    default:
      return [elsewhere]
  }
}

function removed(text: string, operator: string, pattern: string): string {
  const lengths = Array.from({ length: text.length + 1 }, (_, index) => index)
  const order = operator.length === 2 ? lengths.toReversed() : lengths
  for (const length of order) {
    if (operator.startsWith('#') && globMatches(pattern, text.slice(0, length))) return text.slice(length)
    if (operator.startsWith('%') && globMatches(pattern, text.slice(text.length - length))) return text.slice(0, text.length - length)
  }
  return text
}

/** A pattern of several characters is only replaced if it is plain text. */
function replaced(text: string, operator: string, pattern: string, by: string): string | null {
  if (pattern === '') return text
  if (/[*?[]/.test(pattern)) {
    if (pattern.length > 1 && !/^\[[^\]]+\]$/.test(pattern)) return null
    const swap = Array.from(text, (char) => (globMatches(pattern, char) ? by : char))
    return pattern === '*' ? by : operator === '//' ? swap.join('') : null
  }
  if (operator === '/#') return text.startsWith(pattern) ? by + text.slice(pattern.length) : text
  if (operator === '/%') return text.endsWith(pattern) ? text.slice(0, -pattern.length) + by : text
  return operator === '//' ? text.split(pattern).join(by) : text.replace(pattern, () => by)
}
