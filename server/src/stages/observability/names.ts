/**
 * The names that spans have in other programs, in both directions: the GenAI conventions (v0.1.0, beside the names before it),
 * OpenInference, and Claude Code's own telemetry. The only file that knows them.
 */
import type { Profile, Span, SpanKind, SpanTokens } from '#contracts/entities/profile.ts'
import type { ReceivedLog, ReceivedSpan, Scalar } from '#server/adapters/otlp/index.ts'
import type { RecordedSpan, ReportedRequest } from '#server/spans/index.ts'

const OPERATIONS: Partial<Record<SpanKind, string>> = { agent: 'invoke_agent', llm: 'chat', tool: 'execute_tool' }
const INFERENCE: Record<SpanKind, string> = { agent: 'AGENT', llm: 'LLM', tool: 'TOOL', guard: 'GUARDRAIL', wait: 'CHAIN', other: 'CHAIN' }

/** As the conventions name a span: its operation and what it is of. */
export const nameOf = ({ kind, name }: Span): string => (OPERATIONS[kind] === undefined ? name : `${OPERATIONS[kind]} ${name}`)

/** The attributes of a span; null has none. No text of a session is in them but its label. */
export function attributesOf(span: Span, { id, agent }: Pick<Profile, 'id' | 'agent'>): Record<string, string | number | boolean | null> {
  const { kind, name, tokens } = span
  const isModel = kind === 'llm'
  const prompt = tokens ? promptTokens(tokens) : null
  const output = tokens?.output ?? null
  const provider = isModel || kind === 'agent' ? providerOf(isModel ? name : (agent ?? '')) : null
  return {
    'gen_ai.operation.name': OPERATIONS[kind] ?? null,
    'gen_ai.conversation.id': id,
    'gen_ai.agent.name': kind === 'agent' ? name : null,
    'gen_ai.request.model': isModel ? name : null,
    'gen_ai.response.model': isModel ? name : null,
    'gen_ai.provider.name': provider,
    'gen_ai.tool.name': kind === 'tool' ? name : null,
    'gen_ai.tool.call.id': kind === 'tool' ? span.id : null,
    'gen_ai.usage.input_tokens': prompt,
    'gen_ai.usage.output_tokens': output,
    'gen_ai.usage.cache_read.input_tokens': tokens?.cacheRead ?? null,
    'gen_ai.usage.cache_write.input_tokens': tokens?.cacheWrite ?? null,
    'gen_ai.usage.cache_creation.input_tokens': tokens?.cacheWrite ?? null, // its name before v0.1.0
    'openinference.span.kind': INFERENCE[kind],
    'session.id': id,
    'agent.name': kind === 'agent' ? name : null,
    'tool.name': kind === 'tool' ? name : null,
    'input.value': span.label,
    'llm.model_name': isModel ? name : null,
    'llm.provider': isModel ? provider : null,
    'llm.token_count.prompt': prompt,
    'llm.token_count.completion': output,
    'llm.token_count.total': prompt === null || output === null ? null : prompt + output,
    'llm.token_count.prompt_details.cache_read': tokens?.cacheRead ?? null,
    'llm.token_count.prompt_details.cache_write': tokens?.cacheWrite ?? null,
    'llm.cost.total': isModel ? span.costUsd : null,
    'bashgym.kind': kind,
    'bashgym.label': span.label,
    'bashgym.cost_usd': span.costUsd,
    'bashgym.not_measured': span.durationMs === null ? true : null,
    'error.type': span.error ?? null,
  }
}

/** Both conventions count cached tokens as input. */
const promptTokens = ({ input, cacheRead, cacheWrite }: SpanTokens): number | null =>
  input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0)

/** Of the providers that the conventions list; null: not known. */
const providerOf = (name: string): string | null => (name.startsWith('claude-') ? 'anthropic' : null)

/** Kinds of others: Claude Code's `span.type`, OpenInference, and operations of the conventions, in lower case. */
const KINDS = new Map<string, SpanKind>([
  ['interaction', 'agent'],
  ['llm_request', 'llm'],
  ['tool', 'tool'],
  ['tool.blocked_on_user', 'wait'],
  ['tool.execution', 'other'], // inside the call that it belongs to
  ['agent', 'agent'],
  ['llm', 'llm'],
  ['guardrail', 'guard'],
  ['invoke_agent', 'agent'],
  ['chat', 'llm'],
  ['text_completion', 'llm'],
  ['generate_content', 'llm'],
  ['execute_tool', 'tool'],
])
const WAITED = 'asks you'

const textAt = (attributes: ReadonlyMap<string, Scalar>, ...keys: string[]): string | null => {
  for (const key of keys) {
    const value = attributes.get(key)
    if (typeof value === 'string' && value !== '') return value
  }
  return null
}
/** A figure that is not sent is not known; negative ones are none. */
const countAt = (attributes: ReadonlyMap<string, Scalar>, ...keys: string[]): number | null => {
  for (const key of keys) {
    const value = attributes.get(key)
    const count = typeof value === 'string' && /^\d{1,15}$/.test(value) ? Number(value) : value
    if (typeof count === 'number' && Number.isSafeInteger(count) && count >= 0) return count
  }
  return null
}
const moneyAt = (attributes: ReadonlyMap<string, Scalar>, ...keys: string[]): number | null => {
  for (const key of keys) {
    const value = attributes.get(key)
    const sum = typeof value === 'string' && /^[\d.]{1,20}(?:e-\d{1,2})?$/.test(value) ? Number(value) : value
    if (typeof sum === 'number' && Number.isFinite(sum) && sum >= 0) return sum
  }
  return null
}

/** The session as its client calls it. */
export const sessionIn = (attributes: ReadonlyMap<string, Scalar>): string | null =>
  textAt(attributes, 'session.id', 'gen_ai.conversation.id')
export const isClaudeCode = (attributes: ReadonlyMap<string, Scalar>): boolean => attributes.get('service.name') === 'claude-code'

/** A span of another program as ours. */
export function recordedOf({ attributes, traceId, spanId, parentId, ...span }: ReceivedSpan): RecordedSpan {
  const type = textAt(attributes, 'span.type', 'openinference.span.kind', 'gen_ai.operation.name')?.toLowerCase()
  const kind = KINDS.get(type ?? '') ?? 'other'
  const failed = attributes.get('success') === false || span.error !== null
  const reason = textAt(attributes, 'error', 'error.type') ?? (span.error === 'unknown' ? null : span.error)
  return {
    traceId,
    id: spanId,
    parentId,
    kind,
    name: shownName(kind, attributes) ?? (span.name === '' ? 'unknown' : span.name.replace(/^claude_code\./, '')),
    label: textAt(attributes, 'full_command', 'file_path', 'bash_argv0', 'bashgym.label', 'decision'),
    startedAt: span.startedAt,
    durationMs: span.durationMs,
    tokens: kind === 'llm' ? tokensIn(attributes) : null,
    costUsd: kind === 'llm' ? moneyAt(attributes, 'cost_usd', 'llm.cost.total') : null,
    error: failed ? (reason === null ? 'failed' : `failed: ${reason}`) : null,
    requestId: textAt(attributes, 'request_id'),
  }
}

function shownName(kind: SpanKind, attributes: ReadonlyMap<string, Scalar>): string | null {
  if (kind === 'llm')
    return textAt(attributes, 'gen_ai.response.model', 'gen_ai.request.model', 'model', 'llm.model_name') ?? 'unknown model'
  if (kind === 'tool') return textAt(attributes, 'gen_ai.tool.name', 'tool_name', 'tool.name')
  if (kind === 'agent') return textAt(attributes, 'gen_ai.agent.name', 'agent.name') ?? textAt(attributes, 'service.name')
  return kind === 'wait' ? WAITED : null
}

/** Claude Code counts cached tokens apart; the conventions count them as input, too. */
function tokensIn(attributes: ReadonlyMap<string, Scalar>): SpanTokens {
  const own = countAt(attributes, 'input_tokens')
  if (own !== null || isClaudeCode(attributes))
    return {
      input: own,
      output: countAt(attributes, 'output_tokens'),
      cacheRead: countAt(attributes, 'cache_read_tokens'),
      cacheWrite: countAt(attributes, 'cache_creation_tokens'),
    }
  const cacheRead = countAt(attributes, 'gen_ai.usage.cache_read.input_tokens', 'llm.token_count.prompt_details.cache_read')
  const cacheWrite = countAt(
    attributes,
    'gen_ai.usage.cache_write.input_tokens',
    'gen_ai.usage.cache_creation.input_tokens',
    'llm.token_count.prompt_details.cache_write',
  )
  const prompt = countAt(attributes, 'gen_ai.usage.input_tokens', 'gen_ai.usage.prompt_tokens', 'llm.token_count.prompt')
  return {
    input: prompt === null ? null : Math.max(0, prompt - (cacheRead ?? 0) - (cacheWrite ?? 0)),
    output: countAt(attributes, 'gen_ai.usage.output_tokens', 'gen_ai.usage.completion_tokens', 'llm.token_count.completion'),
    cacheRead,
    cacheWrite,
  }
}

/** What a span or log of Claude Code says of a request; null if it is about something else. */
export function requestOf({ attributes, ...one }: ReceivedLog | ReceivedSpan, session: (client: string) => string): ReportedRequest | null {
  const isRequest = attributes.get('event.name') === 'api_request' || attributes.get('span.type') === 'llm_request'
  const requestId = textAt(attributes, 'request_id')
  const client = sessionIn(attributes)
  if (!isRequest || requestId === null || client === null || !isClaudeCode(attributes)) return null
  return {
    requestId: requestId.slice(0, 200),
    session: session(client),
    at: 'at' in one ? one.at : one.startedAt,
    model: textAt(attributes, 'model', 'gen_ai.request.model'),
    ...tokensIn(attributes),
    costUsd: moneyAt(attributes, 'cost_usd'),
  }
}
