import { type Call, checkCalls, type FunctionDoc, type Truth, wireName } from './bfcl-checker.ts'
import { isDict, parsePython } from './python-values.ts'
import { type Benchmarked, fieldsOf, type GivenAnswer, type PartOf, type Scored, WrongRow } from './types.ts'

interface Row {
  messages: { role: string; content: string }[]
  functions: FunctionDoc[]
  /** Null: right is to call nothing. */
  truths: Truth[] | null
  category: string
}

const CATEGORIES = {
  simple_python: 400,
  multiple: 200,
  parallel: 200,
  parallel_multiple: 200,
  irrelevance: 240,
  live_simple: 258,
  live_multiple: 1053,
  live_parallel: 16,
  live_parallel_multiple: 24,
  live_irrelevance: 884,
}

function partOf([name, items]: readonly [string, number]): PartOf {
  const file = `BFCL_v4_${name}.json`
  const files = name.includes('irrelevance') ? [file] : [file, `possible_answer/${file}`]
  return { name, items, files, or: ['data', 'bfcl_eval/data'].map((folder) => files.map((one) => `${folder}/${one}`)) }
}
const [first, ...others] = Object.entries(CATEGORIES).map(partOf)

/** Types of the set in JSON Schema. */
const SCHEMA_TYPES = new Map([
  ['float', 'number'],
  ['double', 'number'],
  ['dict', 'object'],
  ['tuple', 'array'],
  ['list', 'array'],
  ['any', 'string'],
  ['bool', 'boolean'],
])

function schemaOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(schemaOf)
  if (!isDict(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [
      key,
      key === 'type' && typeof one === 'string' ? (SCHEMA_TYPES.get(one) ?? one) : schemaOf(one),
    ]),
  )
}

/** What answers look like that try to call something in their text. */
const ATTEMPTS = ['<tool_call', '[TOOL_CALLS]', '<|tool', '<function', '"arguments"', '"parameters"']

function attemptIn(text: string, functions: readonly FunctionDoc[]): string | null {
  const names = functions.flatMap(({ name }) => [`${name}(`, `${wireName(name)}(`])
  return [...ATTEMPTS, ...names].find((mark) => text.includes(mark)) ?? null
}

function score({ functions, truths, category }: Row, { text, calls }: GivenAnswer): Scored {
  const extracted = calls.length === 0 ? null : calls.map(({ name, arguments: given }) => `${name}(${given})`).join('\n')
  const fail = (reason: string): Scored => ({ verdict: 'fail', extracted, reason })
  if (truths === null) {
    if (calls.length > 0) return fail('It calls a function, and none helps here.')
    const attempt = attemptIn(text, functions)
    return attempt === null ? { verdict: 'pass', extracted, reason: null } : fail(`Its text tries to call something (${attempt}).`)
  }
  const made: Call[] = []
  for (const { name, arguments: given } of calls)
    try {
      const value = given.trim() === '' ? {} : parsePython(given)
      if (!isDict(value)) return fail(`The arguments of ${name} are no JSON object.`)
      made.push({ [wireName(name)]: value })
    } catch {
      return fail(`The arguments of ${name} are no JSON.`)
    }
  const problem = checkCalls(functions, made, truths, category)
  return problem === null ? { verdict: 'pass', extracted, reason: null } : fail(`${problem.type}: ${problem.message}`)
}

export const bfcl: Benchmarked<Row> = {
  about: {
    name: 'bfcl',
    title: 'BFCL v4',
    measures: 'Calling functions with the right arguments',
    metric: 'share of valid calls, of one category',
    form: 'chat, tools',
    harness: 'own scorer; verdicts compared with ast_checker of bfcl-eval 2026.3.23',
    source: 'bfcl-eval 2026.3.23 (PyPI)',
    hub: null,
    revision: null,
    licence: 'Apache-2.0',
    bytes: 1_925_664,
    parts: [first!, ...others],
    runsCode: false,
    maxTokens: 1024,
    reason: null,
    way: 'pip download --no-deps bfcl-eval==2026.3.23, unpack the file with python3 -m zipfile -e, and name the folder.',
  },
  reading: {
    read([value, answer], category) {
      const { id, need } = fieldsOf(typeof value === 'string' ? parsePython(value) : value)
      const name = id('id')
      const isList = (one: unknown): one is unknown[] => Array.isArray(one)
      const turns = need('question', 'a list', isList)
      if (turns.length !== 1 || !Array.isArray(turns[0])) throw new WrongRow('has more than one turn')
      const messages = turns[0].map((one) => {
        const message = fieldsOf(one)
        return { role: message.text('role'), content: message.text('content') }
      })
      const functions = need('function', 'a list', isList) as FunctionDoc[]
      for (const one of functions) fieldsOf(one).text('name')
      if (category.includes('irrelevance')) return { id: name, row: { messages, functions, truths: null, category } }
      const { id: answerId, need: needed } = fieldsOf(typeof answer === 'string' ? parsePython(answer) : answer)
      if (answerId('id') !== name) throw new WrongRow(`has the id ${name}, and its answer ${answerId('id')}`)
      return { id: name, row: { messages, functions, truths: needed('ground_truth', 'a list', isList) as Truth[], category } }
    },
    ask({ messages, functions }) {
      const [opening] = messages
      const system = opening?.role === 'system' ? opening.content : null
      return {
        ...(system !== null && { system }),
        messages: messages
          .slice(system === null ? 0 : 1)
          .map(({ role, content }) => ({ role: role === 'assistant' ? ('assistant' as const) : ('user' as const), content })),
        tools: functions.map((one) => {
          const { name, description = '', parameters } = one as FunctionDoc & { description?: string }
          return { name: wireName(name), description, inputSchema: schemaOf(parameters) as Record<string, unknown> }
        }),
      }
    },
    score,
    callIn: ({ functions }, text) => attemptIn(text, functions) !== null,
    text: ({ messages }) => messages.map(({ content }) => content).join('\n'),
    expected: ({ truths }) => (truths === null ? 'no call' : JSON.stringify(truths, null, 2)),
  },
}
