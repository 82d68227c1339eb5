/** The messages between clients and servers of OpenEnv. Their field names are OpenEnv's. */

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

export interface Issue {
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

export const missing = (key: string, input: unknown): Issue => ({ type: 'missing', loc: [key], msg: 'Field required', input })
export const wrongType = (key: string | null, kind: 'string' | 'dictionary' | 'integer' | 'number' | 'boolean', input: unknown): Issue => ({
  type: { string: 'string_type', dictionary: 'dict_type', integer: 'int_type', number: 'float_type', boolean: 'bool_type' }[kind],
  loc: key === null ? [] : [key],
  msg: `Input should be a valid ${kind}`,
  input,
})

export type Fields = Readonly<Record<string, unknown>>
export const isFields = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value)

export type FileAction = { type: 'read_file'; path: string } | { type: 'write_file'; path: string; content: string }
/** Agents can only call `terminal`; files and the end of the episode are for the trainer. */
export type Action =
  | { type: 'list_tools' }
  /** `isCutOff`: the agent's last message was cut off at its length, so it cannot be run. */
  | { type: 'end_episode'; isCutOff: boolean }
  | { type: 'call_tool'; tool_name: string; arguments: Fields }
  | FileAction

/** Throws `Invalid`. */
export function actionOf(data: unknown): Action {
  if (!isFields(data)) throw new Invalid([wrongType(null, 'dictionary', data)])
  const { type } = data
  const text = (key: string): string => {
    const value = data[key]
    if (typeof value === 'string') return value
    throw new Invalid([value === undefined ? missing(key, data) : wrongType(key, 'string', value)])
  }
  if (type === 'list_tools') return { type }
  if (type === 'end_episode') {
    const { cut_off: isCutOff = false } = data
    if (typeof isCutOff !== 'boolean') throw new Invalid([wrongType('cut_off', 'boolean', isCutOff)])
    return { type, isCutOff }
  }
  if (type === 'read_file') return { type, path: text('path') }
  if (type === 'write_file') return { type, path: text('path'), content: text('content') }
  if (type !== undefined && type !== 'call_tool')
    throw new Invalid([
      {
        type: 'literal_error',
        loc: ['type'],
        msg: "Input should be 'list_tools', 'call_tool', 'read_file', 'write_file' or 'end_episode'",
        input: type,
      },
    ])
  const { arguments: args = {} } = data
  const name = text('tool_name')
  if (!isFields(args)) throw new Invalid([wrongType('arguments', 'dictionary', args)])
  return { type: 'call_tool', tool_name: name, arguments: args }
}

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
