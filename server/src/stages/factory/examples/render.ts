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

/** Replaces a missing result; the call itself is kept, because its arguments are real. */
const NO_RESULT = '[no result was recorded]'

interface RenderOptions {
  thinking: ExampleOptions['thinking']
  system: string | null
  opening: string | null
  /** Answers that carry no loss. */
  isMistake?: (block: Block) => boolean
}

/**
 * Chat messages of some blocks. `opening`: a user message for blocks without a prompt of their own. Each call has exactly one
 * `tool` message, ids are unique in the example, and user messages and answers are never consecutive, as chat templates require.
 */
export function renderBlocks(blocks: readonly Block[], { thinking, system, opening, isMistake }: RenderOptions): Rendered {
  const rendered: Rendered = { messages: [], stepIds: [], trims: [], turns: 0, steps: 0, flags: new Set() }
  const push = (message: ChatMessage, id: string | null) => {
    rendered.messages.push(message)
    rendered.stepIds.push(id)
  }
  if (system !== null) push({ role: 'system', content: system }, null)
  if (opening !== null) push({ role: 'user', content: opening }, null)
  for (const block of blocks) {
    for (const prompt of block.prompts) appendMessage(rendered, { role: 'user', content: prompt.text }, prompt.id, push)
    for (const mark of block.marks) rendered.flags.add(mark)
    if (block.prompts.some(({ text }) => text === '[image]')) rendered.flags.add('image')
    const content = [...(thinking ? block.thinking.map((text) => `<think>\n${text}\n</think>`) : []), ...block.texts].join('\n\n')
    if (content === '' && block.calls.length === 0) continue
    const calls = block.calls.map((call, index): ToolCall => ({
      id: `call_${rendered.steps + index + 1}`,
      type: 'function',
      function: { name: call.tool, arguments: call.input },
    }))
    // What a mod answered is context of what Claude answered next, never Claude's answer.
    const isContext = isMistake?.(block) === true || block.byMod
    if (block.byMod) rendered.flags.add('answered_by_mod')
    const message: ChatMessage = {
      role: 'assistant',
      content,
      ...(calls.length > 0 && { tool_calls: calls }),
      ...(isContext && { weight: 0 }),
    }
    if (isContext) rendered.flags.add('context_only')
    appendMessage(rendered, message, block.calls[0]?.stepId ?? block.id, push)
    block.calls.forEach((call, index) => appendResult(rendered, call, calls[index]!.id, push))
    rendered.steps += calls.length
  }
  rendered.turns = rendered.messages.filter(({ role }) => role === 'assistant').length
  return rendered
}

/** Merges the message into the last one if both have the same role and the last one makes no call. */
function appendMessage(
  rendered: Rendered,
  message: ChatMessage,
  id: string | null,
  push: (message: ChatMessage, id: string | null) => void,
): void {
  const last = rendered.messages.at(-1)
  if (!last || last.role !== message.role || (last.role === 'assistant' && last.tool_calls)) return push(message, id)
  last.content = [last.content, message.content].filter(Boolean).join('\n\n')
  if (last.role !== 'assistant' || message.role !== 'assistant') return
  if (message.tool_calls) last.tool_calls = message.tool_calls
  if (message.weight === 0) last.weight = 0
}

function appendResult(rendered: Rendered, call: Call, id: string, push: (message: ChatMessage, id: string) => void): void {
  if (call.output === null) rendered.flags.add('calls_without_result')
  if (call.success === false) rendered.flags.add('has_errors')
  if (call.rejectedBy === 'interrupt') rendered.flags.add('interrupted')
  else if (call.rejectedBy !== null) rendered.flags.add('rejected_calls')
  if (call.output !== null && /^\[image\]$/m.test(call.output)) rendered.flags.add('image')
  if (call.cutChars > 0) {
    rendered.flags.add('trimmed')
    rendered.trims.push({ message: rendered.messages.length, keptChars: call.keptChars, cutChars: call.cutChars })
  }
  push({ role: 'tool', tool_call_id: id, name: call.tool, content: call.output ?? NO_RESULT }, call.stepId)
}

/** Drops the messages after the last answer, from which nothing is learned. */
export function upToLastAnswer({ messages, stepIds, trims, ...rest }: Rendered): Rendered {
  const end = messages.findLastIndex(({ role }) => role === 'assistant') + 1
  return {
    ...rest,
    messages: messages.slice(0, end),
    stepIds: stepIds.slice(0, end),
    trims: trims.filter(({ message }) => message < end),
  }
}
