import type { ChatChunk } from '#contracts/entities/model.ts'

export interface ChatRequest {
  messages: readonly Record<string, unknown>[]
  tools: readonly Record<string, unknown>[]
  temperature: number
  maxTokens: number
  seed: number
}

/** What one delta of llama.cpp's stream may hold. */
interface Delta {
  choices?: { delta?: { content?: string | null; reasoning_content?: string | null; tool_calls?: CallDelta[] } }[]
  usage?: { completion_tokens?: number }
  timings?: { predicted_n?: number; predicted_per_second?: number | null }
  error?: { message?: string }
}
interface CallDelta {
  index: number
  function?: { name?: string; arguments?: string }
}

/**
 * One answer of a served model as it comes; the last chunk is `done` or `error`. Times are measured here: `ms` from the
 * request on; tokens a second as the server counts them, without the prompt. Ends quietly when `signal` fires.
 */
export async function* chatWith(
  address: { port: number; key: string },
  request: ChatRequest,
  signal: AbortSignal,
): AsyncGenerator<ChatChunk> {
  const started = performance.now()
  const elapsed = () => Math.round((performance.now() - started) * 10) / 10
  let firstTokenMs: number | null = null
  let tokens: number | null = null
  let tokensPerSec: number | null = null
  const calls = new Map<number, { name: string; raw: string }>()
  try {
    const response = await fetch(`http://127.0.0.1:${address.port}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${address.key}` },
      body: JSON.stringify({
        messages: request.messages.map(withTextArguments),
        ...(request.tools.length > 0 && { tools: request.tools }),
        temperature: request.temperature,
        max_tokens: request.maxTokens,
        seed: request.seed,
        stream: true,
        stream_options: { include_usage: true },
        timings_per_token: true, // what is known of an answer that is stopped
      }),
      signal,
    })
    if (!response.ok || !response.body) {
      yield failed(await reasonOf(response))
      return
    }
    for await (const data of eventsOf(response.body)) {
      const delta = JSON.parse(data) as Delta // llama.cpp's own stream
      if (delta.error) {
        yield failed(delta.error.message ?? 'The model server broke off.')
        return
      }
      const said = delta.choices?.[0]?.delta
      const text = (said?.reasoning_content ?? '') + (said?.content ?? '')
      for (const part of said?.tool_calls ?? []) gather(calls, part)
      tokens = delta.usage?.completion_tokens ?? delta.timings?.predicted_n ?? tokens
      // the first token alone says nothing: it comes of the prompt
      if (delta.timings?.predicted_n !== 1) tokensPerSec = delta.timings?.predicted_per_second ?? tokensPerSec
      if (text === '' && !said?.tool_calls) continue
      const ms = elapsed()
      firstTokenMs ??= ms
      yield { type: 'text', text, tokens, ms, tokensPerSec }
    }
  } catch (error) {
    if (!signal.aborted) yield failed(`The model server is gone: ${(error as Error).message}.`)
    return
  }
  for (const { name, raw } of calls.values()) yield { type: 'tool_call', name, arguments: parsed(raw), raw }
  yield { type: 'done', tokens, ms: elapsed(), firstTokenMs, tokensPerSec }
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

const failed = (message: string): ChatChunk => ({ type: 'error', code: 'chat_failed', message })

function gather(calls: Map<number, { name: string; raw: string }>, { index, function: part }: CallDelta): void {
  const call = calls.get(index) ?? { name: '', raw: '' }
  calls.set(index, { name: call.name + (part?.name ?? ''), raw: call.raw + (part?.arguments ?? '') })
}

/** Arguments as an object; text that is no JSON stays text. */
function parsed(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** The data of server-sent events, up to `[DONE]`. */
async function* eventsOf(body: ReadableStream<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const chunk of body) {
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
    rest = lines.pop()!
    for (const line of lines) {
      const data = /^data: ?(.*)$/.exec(line.trimEnd())?.[1]
      if (data === '[DONE]') return
      if (data) yield data
    }
  }
}

/** What llama.cpp says of a request that it refuses. */
interface Refusal {
  error?: { message?: string; type?: string; n_prompt_tokens?: number; n_ctx?: number }
}

async function reasonOf(response: Response): Promise<string> {
  const text = await response.text()
  let said: Refusal['error']
  try {
    said = (JSON.parse(text) as Refusal).error
  } catch {
    return `The model server answered ${response.status}.`
  }
  if (said?.type === 'exceed_context_size_error' && said.n_ctx !== undefined)
    return `With all that was said before, this is ${said.n_prompt_tokens ?? 'more'} tokens; the model takes in ${said.n_ctx} at once. Shorten it, offer fewer tools, or clear the chat.`
  const schema = /JSON schema.*$/s.exec(said?.message ?? '')?.[0]
  if (schema !== undefined) return `The model server cannot use these tools: ${schema}. Correct them, or offer none.`
  return said?.message ?? text
}
