/** What `ast_checker` of bfcl-eval 2026.3.23 decides for Python functions, with its error types. */
import { asFloat, isDict, isIn, type PythonType, shown, typeOf } from './python-values.ts'

export interface FunctionDoc {
  name: string
  parameters: { properties: Record<string, { type: string; items?: { type: string } }>; required: string[] }
}
/** Arguments by the name of the function. */
export type Call = Record<string, Record<string, unknown>>
/** Allowed values of each argument, by the name of the function; "" means that it may be left out. */
export type Truth = Record<string, Record<string, unknown[]>>

/** Null: valid. */
export type Problem = { type: string; message: string } | null

const TYPES = new Map<string, PythonType>([
  ['string', 'str'],
  ['integer', 'int'],
  ['float', 'float'],
  ['boolean', 'bool'],
  ['array', 'list'],
  ['tuple', 'list'],
  ['dict', 'dict'],
  ['any', 'str'],
])

const problem = (type: string, message: string): NonNullable<Problem> => ({ type, message })
export const wireName = (name: string): string => name.replaceAll('.', '_')
const plain = (value: unknown): unknown =>
  typeof value === 'string'
    ? value
        .replaceAll(/[ ,./\-_*^]/g, '')
        .toLowerCase()
        .replaceAll("'", '"')
    : value

export function checkCalls(functions: readonly FunctionDoc[], calls: readonly Call[], truths: readonly Truth[], category: string): Problem {
  const isParallel = category.includes('parallel')
  const kind = isParallel
    ? 'parallel_function_checker_no_order'
    : category.includes('multiple')
      ? 'multiple_function_checker'
      : 'simple_function_checker'
  if (calls.length !== (kind === 'simple_function_checker' ? 1 : truths.length))
    return problem(`${kind}:wrong_count`, `Wrong number of calls: ${calls.length}, expected ${truths.length}.`)
  if (!isParallel) return checkCall(functionOf(functions, truths[0]!, kind), calls[0]!, truths[0]!)
  const free = new Set(calls.keys())
  for (const [index, truth] of truths.entries()) {
    const doc = functionOf(functions, truth, kind)
    const problems = [...free].map((at) => ({ at, found: checkCall(doc, calls[at]!, truth) }))
    const match = problems.find(({ found }) => found === null)
    if (!match)
      return problem(
        `${kind}:cannot_find_match`,
        `No call matches expected call ${index + 1}: ${problems.map(({ found }) => found?.message).join(' ')}`,
      )
    free.delete(match.at)
  }
  return null
}

const functionOf = (functions: readonly FunctionDoc[], truth: Truth, kind: string): FunctionDoc | undefined =>
  kind === 'simple_function_checker' ? functions[0] : functions.find(({ name }) => name === Object.keys(truth)[0])

function checkCall(doc: FunctionDoc | undefined, call: Call, truth: Truth): Problem {
  const allowed = Object.values(truth)[0] ?? {}
  const name = wireName(doc?.name ?? '')
  const { properties = {}, required = [] } = doc?.parameters ?? {}
  const given = Object.hasOwn(call, name) ? call[name]! : null
  if (!doc || given === null) return problem('simple_function_checker:wrong_func_name', `The call is not of ${name}.`)
  for (const one of required)
    if (!Object.hasOwn(given, one)) return problem('simple_function_checker:missing_required', `The argument "${one}" is missing.`)
  for (const [key, value] of Object.entries(given)) {
    if (!Object.hasOwn(properties, key) || !Object.hasOwn(allowed, key))
      return problem('simple_function_checker:unexpected_param', `The argument "${key}" is not expected.`)
    const found = checkValue(key, value, properties[key]!, allowed[key]!)
    if (found) return found
  }
  for (const [key, values] of Object.entries(allowed))
    if (!Object.hasOwn(given, key) && !isIn('', values))
      return problem('simple_function_checker:missing_optional', `The argument "${key}" is missing, and it is not optional.`)
  return null
}

function checkValue(
  key: string,
  given: unknown,
  { type, items }: FunctionDoc['parameters']['properties'][string],
  allowed: unknown[],
): Problem {
  const expected = TYPES.get(type)
  const nested = type === 'array' || type === 'tuple' ? TYPES.get(items?.type ?? '') : undefined
  const value = type === 'float' && typeOf(given) === 'int' ? asFloat(given as number) : given // an integer by its type
  const checked = checkType(key, value, allowed, type, expected, nested)
  if (checked.problem) return checked.problem
  if (!checked.isVariable) {
    if (expected === 'dict') return checkDict(value, allowed)
    if (expected === 'list' && nested === 'dict') return checkDicts(value as unknown[], allowed)
    if (expected === 'str') return isIn(plain(value), allowed.filter((one) => typeof one === 'string').map(plain)) ? null : wrong('string')
    if (expected === 'list')
      return isIn(
        (value as unknown[]).map(plain),
        allowed.map((one) => (Array.isArray(one) ? one.map(plain) : [])),
      )
        ? null
        : wrong('list/tuple')
  }
  return isIn(value, allowed) ? null : wrong('others')

  function wrong(what: string): Problem {
    return problem(`value_error:${what}`, `"${key}" is ${shown(value)}, not one of ${shown(allowed)}.`)
  }
}

/** `isVariable`: the value has the type of the allowed values instead of the described one. */
function checkType(
  key: string,
  value: unknown,
  allowed: readonly unknown[],
  described: string,
  expected: PythonType | undefined,
  nested: PythonType | undefined,
): { problem: Problem; isVariable: boolean } {
  const first = allowed.find((one) => one !== '')
  const allowedType = first === undefined ? null : typeOf(first)
  const isVariable = allowedType !== null && allowedType !== expected
  const type = typeOf(value)
  const what = `"${key}" is ${shown(value)}, a ${type}, and not a ${described}${nested === undefined ? '' : ` of ${nested}`}.`
  if (type === expected) {
    if (nested === undefined) return { problem: null, isVariable }
    const fits = (option: unknown) =>
      !Array.isArray(option) || (value as unknown[]).every((one) => !checkType(key, one, option, nested, nested, undefined).problem)
    if (allowed.some(fits)) return { problem: null, isVariable }
    return { problem: problem(`type_error:${type === allowedType ? 'nested' : 'simple'}`, what), isVariable }
  }
  if (allowedType !== null && type === allowedType) return { problem: null, isVariable: true }
  return { problem: problem('type_error:simple', what), isVariable: false }
}

function checkDict(value: unknown, allowed: readonly unknown[]): Problem {
  let last: Problem = problem('dict_checker:unclear', 'No object is allowed here.')
  if (!isDict(value)) return last
  for (const option of allowed) {
    if (!isDict(option)) continue
    last = dictProblem(value, option as Record<string, unknown[]>)
    if (last === null) return null
  }
  return last
}

function dictProblem(value: Record<string, unknown>, option: Record<string, unknown[]>): Problem {
  for (const [key, one] of Object.entries(value)) {
    if (!Object.hasOwn(option, key)) return problem('value_error:dict_key', `The key "${key}" is not expected.`)
    if (!isIn(plain(one), option[key]!.map(plain)))
      return problem('value_error:dict_value', `"${key}" is ${shown(one)}, not one of ${shown(option[key])}.`)
  }
  const missing = Object.keys(option).find((key) => !Object.hasOwn(value, key) && !isIn('', option[key]!))
  return missing === undefined ? null : problem('value_error:dict_key', `The key "${missing}" is missing.`)
}

function checkDicts(value: readonly unknown[], allowed: readonly unknown[]): Problem {
  let last: Problem = problem('list_dict_checker:unclear', 'No list is allowed here.')
  for (const option of allowed) {
    const dicts = Array.isArray(option) ? option : []
    last =
      value.length === dicts.length
        ? (value.map((one, index) => checkDict(one, [dicts[index]])).find((found) => found !== null) ?? null)
        : problem('value_error:list_dict_count', 'The list has another length.')
    if (last === null) return null
  }
  return last
}
