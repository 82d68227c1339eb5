import type { ChatChunk } from '#contracts/entities/model.ts'
import { z } from 'zod'
import { createLoopbackClient, postToLoopback, ProviderError } from '#server/adapters/llm/index.ts'

export interface ChatRequest {
  messages: readonly Record<string, unknown>[]
  tools: readonly Record<string, unknown>[]
  temperature: number
  maxTokens: number
  seed: number
  /** Calls follow the schemas of their tools; otherwise the whole answer is text. */
  grammar: boolean
}

export interface ChatAddress {
  port: number
  key: string
  /** Tokens that are left out of a text unless they are named. */
  marks: readonly string[]
}

const Rendered = z.object({ prompt: z.string() })

/**
 * One answer of a served model as it comes; the last chunk is `done` or `error`. Times are measured here: `ms` from the
 * request on; tokens a second as the server counts them, without the prompt. Ends quietly when `signal` fires.
 */
export async function* chatWith(address: ChatAddress, request: ChatRequest, signal: AbortSignal): AsyncGenerator<ChatChunk> {
  const started = performance.now()
  const elapsed = () => Math.round((performance.now() - started) * 10) / 10
  let firstTokenMs: number | null = null
  let tokens: number | null = null
  let tokensPerSec: number | null = null
  try {
    for await (const event of await (request.grammar ? withGrammar : asWritten)(address, request, signal)) {
      if (event.type === 'measured') {
        tokens = event.tokens ?? tokens
        // the first token gives no speed: it comes with the prompt
        if (event.tokens !== 1) tokensPerSec = event.tokensPerSec ?? tokensPerSec
      } else if (event.type === 'done') {
        for (const { name, arguments: raw } of event.completion.toolCalls) yield { type: 'tool_call', name, arguments: parsed(raw), raw }
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

/** Trained on rows without thoughts, a model is asked as it was then; templates that know no thinking pass it over. */
const UNTHINKING = { enable_thinking: false }

const clientOf = ({ port, key }: ChatAddress, dialect: 'openai' | 'text', marks: readonly string[] = []) =>
  createLoopbackClient({
    dialect,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    key,
    timeoutMs: null,
    price: null,
    extras: { ...(dialect === 'text' ? { preserved_tokens: marks } : { chat_template_kwargs: UNTHINKING }), timings_per_token: true }, // what is known of an answer that is stopped
  })

const settingsOf = ({ temperature, maxTokens, seed }: Omit<ChatRequest, 'messages' | 'tools'>) => ({ temperature, maxTokens, seed })

/** llama.cpp writes the prompt, holds calls to their schemas once one has begun, and reads them. */
function withGrammar(address: ChatAddress, { messages, tools, ...request }: ChatRequest, signal: AbortSignal) {
  const asked = { messages: messages.map((one) => ({ wire: withTextArguments(one) })), tools: tools.map((wire) => ({ wire })) }
  return clientOf(address, 'openai').stream({ model: null, ...settingsOf(request), ...asked }, signal)
}

/** The prompt as the template writes it, and whatever the model writes after it. */
async function asWritten(address: ChatAddress, { messages, tools, ...request }: ChatRequest, signal: AbortSignal) {
  const asked = { messages: messages.map(withTextArguments), ...(tools.length > 0 && { tools }), chat_template_kwargs: UNTHINKING }
  const rendered = await postToLoopback(`http://127.0.0.1:${address.port}/apply-template`, asked, address.key, signal)
  const { prompt } = Rendered.parse(rendered)
  const client = clientOf(address, 'text', address.marks)
  return client.stream({ model: null, ...settingsOf(request), messages: [{ role: 'user', content: prompt }] }, signal)
}

/** Over the wire, the arguments of a call are JSON text. */
function withTextArguments(message: Record<string, unknown>): Record<string, unknown> {
  const calls = message['tool_calls']
  if (!Array.isArray(calls)) return message
  const wired = calls.map((call: { function?: { arguments?: unknown } }, index) => {
    const given = call.function?.arguments
    const text = typeof given === 'string' ? given : JSON.stringify(given ?? {})
    return { id: `call_${index}`, type: 'function', ...call, function: { ...call.function, arguments: text } }
  })
  return { ...message, tool_calls: wired }
}

/** Arguments as an object; text that is no JSON stays text. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** The error as a person who tries out a model reads it. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof ProviderError)) return `The model server is gone: ${(error as Error).message}.`
  const { kind, status, reason, tooLong } = error
  if (tooLong)
    return `With all that was said before, this is ${tooLong.tokens ?? 'more'} tokens; the model takes in ${tooLong.limit} at once. Shorten it, offer fewer tools, or clear the chat.`
  const schema = /JSON schema.*$/s.exec(reason ?? '')?.[0]
  if (schema !== undefined) return `The model server cannot use these tools: ${schema}. Correct them, or offer none.`
  if (reason) return reason
  if (status !== null) return `The model server answered ${status}.`
  if (kind === 'unreachable') return 'The model server is gone: the connection to it broke off.'
  return kind === 'bad_answer' ? 'The model server sent an answer that could not be read.' : 'The model server broke off.'
}
