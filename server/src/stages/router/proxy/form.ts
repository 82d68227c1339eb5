import { createHash } from 'node:crypto'
import type { Asked } from '#server/adapters/llm-proxy/index.ts'

type Headers = Asked['headers']

/** What a request is, read from its form alone. */
export interface Form {
  /**
   * `safety`: the client's own safety check. `agent`, `fork`: a sub-agent, one that goes on with its parent's conversation.
   * `job`: one prompt with few tools (`claude -p --bare`). `main`: a conversation with the user.
   */
  kind: 'safety' | 'agent' | 'fork' | 'job' | 'main'
  model: string
  /** In auto mode the client asks its provider to check actions. */
  isAuto: boolean
  client: string | null
  session: string | null
  /** The same for all requests of a conversation. */
  key: string
  /** A hash of how the conversation begins. */
  prefix: string
  /** The first words of the user, without what the client adds. */
  prompt: string
  /** Answers so far. */
  answers: number
}

interface Part {
  type?: unknown
  text?: unknown
}
interface Body {
  model?: unknown
  system?: unknown
  messages?: unknown
  tools?: unknown
  max_tokens?: unknown
  stop_sequences?: unknown
  metadata?: { user_id?: unknown } | null
  safeguards?: unknown
}

const MONITOR = 'You are a security monitor for autonomous AI coding agents'
const SEVERITY_TOKENS = 64
const SUB_AGENT = /^x-anthropic-billing-header:.*cc_is_subagent=true/
const FORK = '<fork-boilerplate>'
const ADDED = '<system-reminder>'
/** The tools of `claude --bare`. */
const FEW_TOOLS = new Set(['Bash', 'Edit', 'Read'])
const AUTO_BETAS = /(?:^|,)\s*(?:afk-mode|dangerous-tool-use|auto-mode-classifier)-/
const PRINTED = /^claude-cli\/([\d.]+) \(external, ([\w-]+)/

const partsOf = (content: unknown): Part[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? (content.filter(isObject) as Part[]) : []
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null
const textsOf = (content: unknown): string[] => partsOf(content).flatMap(({ text }) => (typeof text === 'string' ? text : []))
const headerOf = (headers: Headers, name: string): string => {
  const value = headers[name]
  return typeof value === 'string' ? value : (value?.join(',') ?? '')
}
const hashOf = (...parts: string[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** Null if it is not a request for an answer to a conversation. */
export function formOf(headers: Headers, given: unknown): Form | null {
  if (!isObject(given)) return null
  const body = given as Body
  if (typeof body.model !== 'string' || !Array.isArray(body.messages)) return null
  const messages = body.messages.filter(isObject) as { role?: unknown; content?: unknown }[]
  const [, client = null, entry = ''] = PRINTED.exec(headerOf(headers, 'user-agent')) ?? []
  const systems = textsOf(body.system)
  const agent = headerOf(headers, 'x-claude-code-agent-id')
  const session = headerOf(headers, 'x-claude-code-session-id') || sessionIn(body.metadata?.user_id)
  const first = messages.find(({ role }) => role === 'user')
  const prompt = textsOf(first?.content)
    .filter((text) => !text.startsWith(ADDED))
    .join('\n\n')
  const prefix = prefixOf(messages)
  const isAgent = agent !== '' || systems.some((text) => SUB_AGENT.test(text))
  // Clients that send no id of their agents are told apart by how these begin.
  const who = agent || (isAgent ? hashOf(systems[2] ?? '', prompt) : '')
  return {
    kind: isSafetyCheck(body, systems)
      ? 'safety'
      : isAgent
        ? isFork(messages)
          ? 'fork'
          : 'agent'
        : isJob(entry, body.tools)
          ? 'job'
          : 'main',
    model: body.model,
    isAuto: body.safeguards !== undefined || AUTO_BETAS.test(headerOf(headers, 'anthropic-beta')),
    client,
    session: session || null,
    key: session ? `${session}/${who}` : prefix,
    prefix,
    prompt,
    answers: messages.filter(({ role }) => role === 'assistant').length,
  }
}

function isSafetyCheck({ tools, max_tokens: most, stop_sequences: stops }: Body, systems: readonly string[]): boolean {
  if (systems.some((text) => text.startsWith(MONITOR))) return true
  const hasTools = Array.isArray(tools) && tools.length > 0
  return !hasTools && (most === SEVERITY_TOKENS || (Array.isArray(stops) && stops.length > 0))
}

const isFork = (messages: readonly { content?: unknown }[]): boolean =>
  messages.some(({ content }) => textsOf(content).some((text) => text.startsWith(FORK)))

const isJob = (entry: string, tools: unknown): boolean =>
  entry === 'sdk-cli' &&
  Array.isArray(tools) &&
  tools.length > 0 &&
  tools.every((tool: { name?: unknown } | null) => typeof tool?.name === 'string' && FEW_TOOLS.has(tool.name))

/** Older clients put it into the id of the user, as JSON or at the end of a word. */
function sessionIn(user: unknown): string {
  if (typeof user !== 'string') return ''
  return /"session_id"\s*:\s*"([^"]{1,200})"/.exec(user)?.[1] ?? /_session_([\w-]{1,200})$/.exec(user)?.[1] ?? ''
}

/** The messages before the first answer, whatever marks of the cache they have. */
function prefixOf(messages: readonly { role?: unknown; content?: unknown }[]): string {
  const end = messages.findIndex(({ role }) => role === 'assistant')
  const begin = end === -1 ? messages : messages.slice(0, end)
  return hashOf(...begin.filter(({ role }) => role === 'user').flatMap(({ content }) => textsOf(content)))
}
