import type { ChatMessage, ExampleOptions, ToolCall, ExampleDetail } from '#contracts/entities/example.ts'
import type { Block, Call } from './blocks.ts'

export interface Rendered {
  messages: ChatMessage[]
  stepIds: (string | null)[]
  trims: ExampleDetail['trims']
  turns: number
  steps: number
  flags: Set<string>
}

/** Instead of a result that the transcript does not have; the call stays, as its arguments are real. */
const NO_RESULT = '[no result was recorded]'

interface RenderOptions {
  thinking: ExampleOptions['thinking']
  system: string | null
  opening: string | null
  /** Answers that carry no loss. */
  isMistake?: (block: Block) => boolean
}

/**
 * Chat messages of some blocks. `opening`: a user message for blocks that have no prompt of their own in front. Each
 * call has exactly one `tool` message, ids are unique in the example, and no two messages of the user or of the model
 * follow each other, so that any chat template takes the row.
 */
export function renderBlocks(blocks: readonly Block[], { thinking, system, opening, isMistake }: RenderOptions): Rendered {
  const out: Rendered = { messages: [], stepIds: [], trims: [], turns: 0, steps: 0, flags: new Set() }
  const push = (message: ChatMessage, id: string | null) => {
    out.messages.push(message)
    out.stepIds.push(id)
  }
  if (system !== null) push({ role: 'system', content: system }, null)
  if (opening !== null) push({ role: 'user', content: opening }, null)
  for (const block of blocks) {
    for (const prompt of block.prompts) appendMessage(out, { role: 'user', content: prompt.text }, prompt.id, push)
    for (const mark of block.marks) out.flags.add(mark)
    if (block.prompts.some(({ text }) => text === '[image]')) out.flags.add('image')
    const content = [...(thinking ? block.thinking.map((text) => `<think>\n${text}\n</think>`) : []), ...block.texts].join('\n\n')
    if (content === '' && block.calls.length === 0) continue
    const calls = block.calls.map((call, index): ToolCall => ({
      id: `call_${out.steps + index + 1}`,
      type: 'function',
      function: { name: call.tool, arguments: call.input },
    }))
    const isContext = isMistake?.(block) === true
    const message: ChatMessage = {
      role: 'assistant',
      content,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(isContext && { weight: 0 }),
    }
    if (isContext) out.flags.add('context_only')
    appendMessage(out, message, block.calls[0]?.stepId ?? block.id, push)
    block.calls.forEach((call, index) => answer(out, call, calls[index]!.id, push))
    out.steps += calls.length
  }
  out.turns = out.messages.filter(({ role }) => role === 'assistant').length
  return out
}

/** Adds to the message before where that is of the same speaker and asks for nothing. */
function appendMessage(
  out: Rendered,
  message: ChatMessage,
  id: string | null,
  push: (message: ChatMessage, id: string | null) => void,
): void {
  const last = out.messages.at(-1)
  if (!last || last.role !== message.role || (last.role === 'assistant' && last.tool_calls)) return push(message, id)
  last.content = [last.content, message.content].filter(Boolean).join('\n\n')
  if (last.role !== 'assistant' || message.role !== 'assistant') return
  if (message.tool_calls) last.tool_calls = message.tool_calls
  if (message.weight === 0) last.weight = 0
}

function answer(out: Rendered, call: Call, id: string, push: (message: ChatMessage, id: string) => void): void {
  if (call.output === null) out.flags.add('calls_without_result')
  if (call.success === false) out.flags.add('has_errors')
  if (call.rejectedBy === 'interrupt') out.flags.add('interrupted')
  else if (call.rejectedBy !== null) out.flags.add('rejected_calls')
  if (call.output !== null && /^\[image\]$/m.test(call.output)) out.flags.add('image')
  if (call.cutChars > 0) {
    out.flags.add('trimmed')
    out.trims.push({ message: out.messages.length, keptChars: call.keptChars, cutChars: call.cutChars })
  }
  push({ role: 'tool', tool_call_id: id, name: call.tool, content: call.output ?? NO_RESULT }, call.stepId)
}

/** Without what follows the last answer: nothing is learned there. */
export function upToAnswer({ messages, stepIds, trims, ...rest }: Rendered): Rendered {
  const end = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  return {
    ...rest,
    messages: messages.slice(0, end),
    stepIds: stepIds.slice(0, end),
    trims: trims.filter(({ message }) => message < end),
  }
}
