import type { ToolSchema } from '#contracts/entities/example.ts'
import { CapReached, type ChatRequest, type Completion, ProviderError, withRetries } from '#server/adapters/llm/index.ts'
import { ModelLost, type ReadCalls } from '../exam/ask.ts'
import type { OpenModel } from '../exam/models.ts'
import type { Ask, Reading } from './sets/types.ts'
import type { Answer } from './store.ts'

export interface AskOptions {
  model: Pick<OpenModel, 'ask' | 'model' | 'dialect'>
  reading: Pick<Reading<unknown>, 'callIn'>
  readCalls: ReadCalls
  sampling: Pick<ChatRequest, 'maxTokens' | 'temperature' | 'topP' | 'seed'>
  firstWaitMs?: number | undefined
}

const REPLACED = 'Not verified: parts of its prompt were replaced before it left this machine, and the set has the answer to the original.'

/** Asks once. Throws `CapReached`, `ModelLost`, or the reason of `signal`; other failures are an answer without a text. */
export async function askOnce(asked: Ask, row: unknown, options: AskOptions, signal: AbortSignal): Promise<Answer> {
  const { model, reading, readCalls, sampling, firstWaitMs } = options
  const startedAt = performance.now()
  const failed = (error: string): Answer => ({ text: null, calls: [], stopped: null, error, tokens: null, ms: null })
  let completion: Completion
  try {
    const once = () => model.ask({ ...asked, ...sampling, model: model.model }, signal)
    completion = await withRetries(once, { signal, ...(firstWaitMs !== undefined && { firstWaitMs }) })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CapReached || !(error instanceof ProviderError)) throw error
    if (error.kind === 'unauthorized') throw new ModelLost(`${error.message} ${error.hint}`)
    return failed(error.message)
  }
  const ms = Math.round(performance.now() - startedAt)
  const { text, toolCalls, stopped, usage, isReplaced = false } = completion
  let calls = toolCalls.map(({ name, arguments: json }) => ({ name, arguments: json }))
  if (calls.length === 0 && model.dialect === 'openai' && reading.callIn?.(row, text) === true)
    try {
      const found = await readCalls(text, schemasOf(asked), signal)
      calls = found.map(({ name, arguments: given }) => ({ name, arguments: JSON.stringify(given) }))
    } catch (error) {
      signal.throwIfAborted()
      return failed(`The text of the answer could not be read for calls: ${(error as Error).message}`)
    }
  return { text, calls, stopped, error: isReplaced ? REPLACED : null, tokens: usage.output, ms }
}

const schemasOf = ({ tools = [] }: Ask): ToolSchema[] =>
  tools.flatMap((tool) =>
    'wire' in tool
      ? []
      : { type: 'function' as const, function: { name: tool.name, description: tool.description, parameters: tool.inputSchema } },
  )
