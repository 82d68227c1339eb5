/** JSON as Python reads it: `10.0` is no integer, and `True == 1`. A float is an object with one key, so that it stays plain data. */
const FLOAT = '\0float'

export type PythonType = 'str' | 'int' | 'float' | 'bool' | 'list' | 'dict' | 'none'

type Reviver = (key: string, value: unknown, context: { source?: string }) => unknown

/** Throws a `SyntaxError` for what is no JSON. */
export function parsePython(text: string): unknown {
  const reviver: Reviver = (_key, value, { source }) =>
    typeof value === 'number' && source !== undefined && /[.eE]/.test(source) ? { [FLOAT]: value } : value
  return (JSON.parse as (json: string, reviver: Reviver) => unknown)(text, reviver)
}

export const isDict = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(FLOAT in value)

export function typeOf(value: unknown): PythonType {
  if (typeof value === 'string') return 'str'
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'number') return Number.isInteger(value) ? 'int' : 'float'
  if (Array.isArray(value)) return 'list'
  if (value === null || value === undefined) return 'none'
  return isDict(value) ? 'dict' : 'float'
}

export const asFloat = (value: number): unknown => ({ [FLOAT]: value })

function numberOf(value: unknown): number | null {
  if (typeof value === 'number') return value
  if (typeof value === 'boolean') return Number(value)
  return typeof value === 'object' && value !== null && FLOAT in value ? (value[FLOAT] as number) : null // written by parsePython
}

export function equal(a: unknown, b: unknown): boolean {
  const [left, right] = [numberOf(a), numberOf(b)]
  if (left !== null || right !== null) return left === right
  if (Array.isArray(a) && Array.isArray(b)) return a.length === b.length && a.every((one, index) => equal(one, b[index]))
  if (isDict(a) && isDict(b)) {
    const names = Object.keys(a)
    return names.length === Object.keys(b).length && names.every((name) => Object.hasOwn(b, name) && equal(a[name], b[name]))
  }
  return a === b
}

export const isIn = (value: unknown, values: readonly unknown[]): boolean => values.some((one) => equal(one, value))

/** How messages show a value. */
export const shown = (value: unknown): string =>
  JSON.stringify(value, (_key, one: unknown) => numberOf(one) ?? one)?.slice(0, 200) ?? String(value)
