import type { ChatChunk } from '#contracts/entities/model.ts'
import { z } from 'zod'
import { createLoopbackClient, postToLoopback, ProviderError } from '#server/adapters/llm/index.ts'

export interface ChatRequest {
  messages: readonly Record<string, unknown>[]
  tools: readonly Record<string, unknown>[]
  temperature: number
  maxTokens: number
  seed: number
  /** Whether calls must match the schemas of their tools; otherwise the answer is only text. */
  grammar: boolean
}

export interface ChatAddress {
  port: number
  key: string
  /** Special tokens that are removed from texts unless a request names them. */
  marks: readonly string[]
}

const HEALTH_MS = 5000

/** Milliseconds until a served model answers a health check; null if it does not within five seconds. */
export async function healthOf({ port, key }: ChatAddress): Promise<number | null> {
  const startedAt = performance.now()
  try {
    await postToLoopback(`http://127.0.0.1:${port}/tokenize`, { content: '' }, key, AbortSignal.timeout(HEALTH_MS))
    return Math.round((performance.now() - startedAt) * 10) / 10
  } catch {
    return null
  }
}

const Rendered = z.object({ prompt: z.string() })

/**
 * Streams one answer of a served model; the last chunk is `done` or `error`. `ms` is measured here, from the request on;
 * tokens per second are the server's, without the prompt. Ends without an error when `signal` fires.
 */
export async function* chatWith(address: ChatAddress, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
  const startedAt = performance.now()
  const elapsed = () => Math.round((performance.now() - startedAt) * 10) / 10
  let firstTokenMs: number | null = null
  let tokens: number | null = null
  let tokensPerSec: number | null = null
  try {
    for await (const event of await (request.grammar ? withGrammar : withoutGrammar)(address, request, signal)) {
      if (event.type === 'measured') {
        tokens = event.tokens ?? tokens
        // The first token has no speed of its own: its time includes the prompt.
        if (event.tokens !== 1) tokensPerSec = event.tokensPerSec ?? tokensPerSec
      } else if (event.type === 'done') {
        for (const { name, arguments: raw } of event.completion.toolCalls)
          yield { type: 'tool_call', name, arguments: parseArguments(raw), raw }
        yield { type: 'done', tokens, ms: elapsed(), firstTokenMs, tokensPerSec, cut: event.completion.stopped === 'length' }
      } else {
        const ms = elapsed()
        firstTokenMs ??= ms
        yield { type: 'text', text: event.type === 'call' ? '' : event.text, tokens, ms, tokensPerSec }
      }
    }
  } catch (error) {
    if (!signal.aborted) yield { type: 'error', code: 'chat_failed', message: sentenceOf(error) }
  }
}

/** Models are trained on rows without thinking, so they are asked without it; other templates ignore this. */
const WITHOUT_THINKING = { enable_thinking: false }

const clientOf = ({ port, key }: ChatAddress, dialect: 'openai' | 'text', marks: readonly string[] = []) =>
  createLoopbackClient({
    dialect,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    key,
    timeoutMs: null,
    price: null,
    extras: { ...(dialect === 'text' ? { preserved_tokens: marks } : { chat_template_kwargs: WITHOUT_THINKING }), timings_per_token: true }, // also gives numbers for an answer that is stopped
  })

const settingsOf = ({ temperature, maxTokens, seed }: Omit<ChatRequest, 'messages' | 'tools'>) => ({ temperature, maxTokens, seed })

/** llama.cpp builds the prompt, makes calls match their schemas, and parses them. */
function withGrammar(address: ChatAddress, { messages, tools, ...request }: ChatRequest, signal: AbortSignal) {
  const body = { messages: messages.map((one) => ({ wire: withTextArguments(one) })), tools: tools.map((wire) => ({ wire })) }
  return clientOf(address, 'openai').stream({ model: null, ...settingsOf(request), ...body }, signal)
}

/** Builds the prompt with the model's template, and returns the model's text without parsing calls. */
async function withoutGrammar(address: ChatAddress, { messages, tools, ...request }: ChatRequest, signal: AbortSignal) {
  const body = { messages: messages.map(withTextArguments), ...(tools.length > 0 && { tools }), chat_template_kwargs: WITHOUT_THINKING }
  const rendered = await postToLoopback(`http://127.0.0.1:${address.port}/apply-template`, body, address.key, signal)
  const { prompt } = Rendered.parse(rendered)
  const client = clientOf(address, 'text', address.marks)
  return client.stream({ model: null, ...settingsOf(request), messages: [{ role: 'user', content: prompt }] }, signal)
}

/** In requests, the arguments of a call are JSON text. */
function withTextArguments(message: Record<string, unknown>): Record<string, unknown> {
  const calls = message['tool_calls']
  if (!Array.isArray(calls)) return message
  const converted = calls.map((call: { function?: { arguments?: unknown } }, index) => {
    const args = call.function?.arguments
    const text = typeof args === 'string' ? args : JSON.stringify(args ?? {})
    return { id: `call_${index}`, type: 'function', ...call, function: { ...call.function, arguments: text } }
  })
  return { ...message, tool_calls: converted }
}

/** The arguments as an object, or the text if it is not JSON. */
function parseArguments(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** The error as a sentence for the user. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ProviderError)) return `The model server has ended: ${(error as Error).message}.`
  const { kind, status, reason, tooLong } = error
  if (tooLong)
    return `This chat has ${tooLong.tokens ?? 'too many'} tokens, but the model can read only ${tooLong.limit}. Shorten it, offer fewer tools, or clear the chat.`
  const schema = /JSON schema.*$/s.exec(reason ?? '')?.[0]
  if (schema !== undefined) return `The model server cannot use these tools: ${schema}. Correct them, or offer none.`
  if (reason) return reason
  if (status !== null) return `The model server answered ${status}.`
  if (kind === 'unreachable') return 'The model server has ended: the connection to it was lost.'
  return kind === 'bad_answer'
    ? 'The model server sent an answer that could not be read.'
    : 'The model server stopped before the end of its answer.'
}
