/** The messages between clients and servers of OpenEnv. Their field names are OpenEnv's. */
import { z } from 'zod'
import { lookup } from '#contracts/lookup.ts'

export interface Observation {
  observation: Record<string, unknown>
  reward: number | null
  done: boolean
  /** Sent both next to the observation and inside it, because older and newer clients read different places. */
  metadata?: Record<string, unknown>
}

export function observed(
  fields: Record<string, unknown>,
  { reward, done, metadata = {} }: { reward: number | null; done: boolean; metadata?: Record<string, unknown> },
): Observation {
  return { observation: { metadata, ...fields }, reward, done, ...(Object.keys(metadata).length > 0 && { metadata }) }
}

interface Issue {
  type: string
  loc: (string | number)[]
  msg: string
  input: unknown
}

/** A message with many problems must not get an answer that is many times as long. */
const MAX_ISSUES = 20

/** Thrown for an invalid message or action. */
export class Invalid extends Error {
  readonly issues: Issue[]
  constructor(issues: Issue[]) {
    const first = issues.slice(0, MAX_ISSUES)
    super(first.map(({ loc, msg }) => `${loc.join('.') || 'message'}: ${msg}`).join('; '))
    this.issues = first
  }
}

export type Fields = Readonly<Record<string, unknown>>
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

const Text = z.string()
const Dictionary = z.record(z.string(), z.unknown())
const FileAction = z.discriminatedUnion('type', [
  z.object({ type: z.literal('read_file'), path: Text }),
  z.object({ type: z.literal('write_file'), path: Text, content: Text }),
])
export type FileAction = z.infer<typeof FileAction>
/** Agents can only call `terminal`; files and the end of the episode are for the trainer. */
export const Action = z.preprocess(
  (data) => (isFields(data) && data['type'] === undefined ? { ...data, type: 'call_tool' } : data),
  z.discriminatedUnion('type', [
    z.object({ type: z.literal('list_tools') }),
    z.object({ type: z.literal('call_tool'), tool_name: Text, arguments: Dictionary.default({}) }),
    ...FileAction.options,
    /** `cut_off`: the agent's last message was cut off at its length, so it cannot be run. */
    z.object({ type: z.literal('end_episode'), cut_off: z.boolean().default(false) }),
  ]),
)
export type Action = z.infer<typeof Action>

/** Reads a message of others. Throws `Invalid`. */
export function readMessage<Schema extends z.ZodType>(schema: Schema, data: unknown): z.output<Schema> {
  const { data: value, error } = schema.safeParse(data)
  if (error) throw new Invalid(error.issues.flatMap((issue) => issuesOf(issue, data)))
  return value
}

/** A problem as Pydantic words it, because clients of OpenEnv read that. */
function issuesOf(problem: z.core.$ZodIssue, data: unknown): Issue[] {
  const loc = problem.path as Issue['loc']
  const at = (path: Issue['loc']) => path.reduce<unknown>((value, key) => (value as Fields | undefined)?.[key], data)
  const input = at(loc)
  const issue = (type: string, msg: string): Issue[] => [{ type, loc, msg, input }]
  if (input === undefined && loc.length > 0) return [{ type: 'missing', loc, msg: 'Field required', input: at(loc.slice(0, -1)) }]
  switch (problem.code) {
    case 'unrecognized_keys':
      return problem.keys
        .map((key) => [...loc, key])
        .map((place) => ({ type: 'extra_forbidden', loc: place, msg: 'Extra inputs are not permitted', input: at(place) }))
    case 'invalid_type': {
      const [type, kind] = KINDS[problem.expected] ?? ['dict_type', 'dictionary']
      return issue(type, `Input should be a valid ${kind}`)
    }
    case 'invalid_value':
      return issue('literal_error', `Input should be ${oneOf(problem.values)}`)
    case 'invalid_union':
      if (problem.errors.length === 0)
        return issue('literal_error', `Input should be ${oneOf((problem as { options?: unknown[] }).options ?? [])}`)
      return furthest(problem.errors).flatMap((inner) => issuesOf({ ...inner, path: [...loc, ...inner.path] }, data))
    case 'too_small':
      return issue('greater_than_equal', `Input should be greater than or equal to ${problem.minimum}`)
    case 'too_big':
      if (problem.origin === 'string') return issue('string_too_long', `String should have at most ${problem.maximum} characters`)
      return issue('less_than_equal', `Input should be less than or equal to ${problem.maximum}`)
    default:
      return issue('value_error', `Value error, ${problem.message}`)
  }
}

const KINDS = lookup<readonly [string, string]>({
  string: ['string_type', 'string'],
  boolean: ['bool_type', 'boolean'],
  number: ['float_type', 'number'],
  int: ['int_type', 'integer'],
  array: ['list_type', 'list'],
})
const oneOf = (values: readonly unknown[]): string => `'${values.join("', '").replace(/, ([^,]*)$/, ' or $1')}'`
const depth = (problems: readonly z.core.$ZodIssue[]): number => problems[0]?.path.length ?? 0
/** Of the alternatives, the one of which most fits. */
const furthest = (errors: readonly z.core.$ZodIssue[][]) => errors.toSorted((a, b) => depth(b) - depth(a))[0] ?? []

export const TOOL = 'terminal'
const SCHEMA = {
  type: 'object',
  additionalProperties: false,
  properties: { command: { default: '', type: 'string' }, final_answer: { default: '', type: 'string' } },
} as const
const DESCRIPTION =
  'Run a command in the shell of the sandbox, which stays open from call to call, or give the final answer, which ends the episode. Give one of the two.'

/** The tool as a step lists it. */
export const STEP_TOOL = { name: TOOL, description: DESCRIPTION, input_schema: SCHEMA }
/** The tool as MCP lists it. */
export const MCP_TOOL = {
  name: TOOL,
  description: DESCRIPTION,
  inputSchema: SCHEMA,
  outputSchema: { type: 'object', properties: { result: { type: 'string' } }, required: ['result'] },
  annotations: null,
}

export interface ToolResult {
  content: { type: 'text'; text: string; annotations: null; meta: null }[]
  structured_content: { result: string }
  meta: Record<string, never>
  data: string
  is_error: boolean
}
export const textResult = (text: string): ToolResult => ({
  content: [{ type: 'text', text, annotations: null, meta: null }],
  structured_content: { result: text },
  meta: {},
  data: text,
  is_error: false,
})

export type ToolErrorType = 'execution_error' | 'invalid_args' | 'transport_error' | 'tool_not_found' | 'timeout'
