import type { ExamCall, ExamRunRequest } from '#contracts/entities/exam.ts'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { CapReached, type ChatRequest, type Completion, type Message, ProviderError, withRetries } from '#server/adapters/llm/index.ts'
import type { OpenModel } from './models.ts'
import type { Answer, ItemContext } from './store.ts'

/** Reads the calls in a text, as the trainers do. */
export type ReadCalls = (raw: string, tools: readonly ToolSchema[], signal: AbortSignal) => Promise<ExamCall[]>

/** Nothing more can be asked of this model. */
export class ModelLost extends Error {}

/** The request of an item: what both models get. */
export function requestOf(
  { messages, tools }: ItemContext,
  { maxTokens, seed }: Pick<ExamRunRequest, 'maxTokens' | 'seed'>,
): Omit<ChatRequest, 'model'> {
  const [first] = messages
  const system = first?.role === 'system' ? first.content : null
  return {
    ...(system !== null && { system }),
    messages: messages.slice(system === null ? 0 : 1).flatMap(toMessage),
    tools: tools.map(({ function: { name, description, parameters } }) => ({ name, description, inputSchema: parameters })),
    maxTokens,
    temperature: 0,
    seed,
  }
}

function toMessage(message: ChatMessage): Message[] {
  if (message.role === 'tool') return [{ role: 'tool', callId: message.tool_call_id, content: message.content }]
  if (message.role === 'user') return [{ role: 'user', content: message.content }]
  if (message.role === 'system') return [] // only the first message is one
  const calls = message.tool_calls?.map(({ id, function: { name, arguments: given } }) => ({ id, name, arguments: JSON.stringify(given) }))
  return [{ role: 'assistant', content: message.content, ...(calls && { toolCalls: calls }) }]
}

/** Asks a model for one item. Throws `CapReached`, `ModelLost`, or the reason of `signal`; other failures are an answer that is owed. */
export async function askItem(
  { ask, model, dialect }: Pick<OpenModel, 'ask' | 'model' | 'dialect'>,
  context: ItemContext,
  {
    request,
    readCalls,
    firstWaitMs,
  }: { request: Pick<ExamRunRequest, 'maxTokens' | 'seed'>; readCalls: ReadCalls; firstWaitMs?: number | undefined },
  signal: AbortSignal,
): Promise<Omit<Answer, 'attempt'>> {
  const startedAt = performance.now()
  const owed = (error: string) => ({ state: 'error' as const, call: null, text: null, error, ms: null })
  let completion: Completion
  try {
    const once = () => ask({ ...requestOf(context, request), model }, signal)
    completion = await withRetries(once, { signal, ...(firstWaitMs !== undefined && { firstWaitMs }) })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CapReached) throw error
    if (!(error instanceof ProviderError)) throw error
    if (error.kind === 'unauthorized') throw new ModelLost(`${error.message} ${error.hint}`)
    return owed(error.message)
  }
  const ms = Math.round(performance.now() - startedAt)
  const { text, toolCalls, stopped } = completion
  const isCut = stopped === 'length'
  try {
    const call =
      toolCalls.length > 0
        ? argumentsOf(toolCalls[0]!)
        : dialect === 'openai' && text.trim() !== ''
          ? ((await readCalls(text, context.tools, signal))[0] ?? null)
          : null
    return { state: call === null && isCut ? 'truncated' : 'answered', call, text, error: null, ms }
  } catch (error) {
    signal.throwIfAborted()
    return { ...owed(`The answer has no calls of its own, and its text could not be read for calls: ${(error as Error).message}`), text }
  }
}

/** Null if the arguments are no JSON object. */
function argumentsOf({ name, arguments: json }: { name: string; arguments: string }): ExamCall | null {
  try {
    const value = JSON.parse(json === '' ? '{}' : json) as unknown
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { name, arguments: value as ExamCall['arguments'] } : null
  } catch {
    return null
  }
}
