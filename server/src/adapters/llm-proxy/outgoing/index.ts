/** What is sent of an agent's request: an allow-list of fields, tools and parts, and a limit for the answer. */
import { ProxyRefusal } from '../refusal.ts'
import type { ProxyPath } from '../types.ts'
import { chatRequest } from './chat.ts'
import { messagesRequest } from './messages.ts'
import { responsesRequest } from './responses.ts'
import type { Rule } from './shape.ts'

type Body = Record<string, unknown>

export interface Outgoing {
  body: Body
  model: string | null
  /** The names of what was removed. */
  removed: string[]
  /** The limit of an answer that the client asked for; null if it asked for none. */
  askedOutput: number | null
  /** How many answers the request asks for. */
  answers: number
}

const RULES: Record<ProxyPath, Rule> = {
  '/v1/messages': messagesRequest,
  '/v1/chat/completions': chatRequest,
  '/v1/responses': responsesRequest,
}
const LIMITS: Record<ProxyPath, readonly string[]> = {
  '/v1/messages': ['max_tokens'],
  '/v1/chat/completions': ['max_completion_tokens', 'max_tokens'],
  '/v1/responses': ['max_output_tokens'],
}
/** For a request without a limit, which is only allowed if nothing is capped. */
export const DEFAULT_OUTPUT: Record<ProxyPath, number> = {
  '/v1/messages': 8192,
  '/v1/chat/completions': 8192,
  '/v1/responses': 65_536,
}
const MAX_ANSWERS = 128
/** The smallest thinking budget of the Messages API. */
const LEAST_THINKING = 1024
const MAX_REMOVED = 50

export function outgoing(path: ProxyPath, asked: Body): Outgoing {
  const names = new Set<string>()
  const removed = (name: string): undefined => {
    if (names.size < MAX_REMOVED) names.add(nameOf(name))
  }
  const body = RULES[path](asked, '', removed) as Body
  if (Array.isArray(body['tools']) && body['tools'].length === 0) delete body['tools']
  if (body['tool_choice'] !== undefined && (body['tools'] === undefined || !isOffered(body))) delete body['tool_choice']
  for (const field of LIMITS[path]) if (field in body && !isCount(body[field])) delete body[field]
  const answers = body['n'] ?? 1
  if (!isCount(answers) || answers > MAX_ANSWERS) throw new ProxyRefusal(400, `"n" must be a whole number from 1 to ${MAX_ANSWERS}.`)
  if (path === '/v1/chat/completions') {
    delete body['stream_options']
    // endpoints report the tokens of a stream only if the request asks for them
    if (body['stream'] === true) body['stream_options'] = { include_usage: true }
  }
  if (path === '/v1/responses') body['store'] = false // the default is to store
  const limits = LIMITS[path].map((field) => body[field]).filter(isCount)
  const askedOutput = limits.length === 0 ? null : Math.min(...limits)
  // which of two limits an endpoint obeys is not known
  for (const field of LIMITS[path]) if (field in body) body[field] = askedOutput
  return {
    body,
    model: typeof body['model'] === 'string' && body['model'] !== '' ? body['model'] : null,
    removed: [...names],
    askedOutput,
    answers,
  }
}

/** The body with this limit for each answer. `host`: of the endpoint. */
export function withLimit(path: ProxyPath, body: Body, output: number, host: string): Body {
  const given = LIMITS[path].filter((field) => field in body)
  // OpenAI's newer models refuse `max_tokens`, which is the only field that many other servers know
  const [first, second] = LIMITS[path]
  const fields = given.length > 0 ? given : [second === undefined || /(?:^|\.)openai\.(?:com|azure\.com)$/.test(host) ? first! : second]
  const limited: Body = { ...body, ...Object.fromEntries(fields.map((field) => [field, output])) }
  const thinking = body['thinking'] as { type?: string; budget_tokens?: unknown } | undefined
  if (thinking?.type !== 'enabled' || !isCount(thinking.budget_tokens) || thinking.budget_tokens < output) return limited
  if (output > LEAST_THINKING) return { ...limited, thinking: { ...thinking, budget_tokens: output - 1 } }
  delete limited['thinking']
  return limited
}

/** Whether the tool that the client must choose is still among the tools. */
function isOffered({ tools, tool_choice: choice }: Body): boolean {
  const name = nameIn(choice) ?? nameIn((choice as Body)['function']) ?? nameIn((choice as Body)['custom'])
  return name === null || (tools as Body[]).some((tool) => [tool, tool['function'], tool['custom']].some((one) => nameIn(one) === name))
}
const nameIn = (value: unknown): string | null => {
  const name = typeof value === 'object' && value !== null ? (value as Body)['name'] : null
  return typeof name === 'string' ? name : null
}

const isCount = (value: unknown): value is number => typeof value === 'number' && Number.isSafeInteger(value) && value > 0
/** An agent chooses these names, and they are shown to the user. */
const nameOf = (name: string) => name.replace(/[^\w.:, -]/g, '?').slice(0, 80)
