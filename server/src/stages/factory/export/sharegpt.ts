import type { ChatMessage } from '#contracts/entities/example.ts'
import type { SftRow } from '../curate/candidate.ts'
import type { ShapedRows } from './shaped-rows.ts'

interface Turn {
  from: 'human' | 'gpt' | 'function_call' | 'observation'
  value: string
}

const THINKING = /^\s*(<think>[\s\S]*?<\/think>)\s*/

/**
 * ShareGPT as LLaMA-Factory documents it: human or observation alternates with gpt or function_call. So consecutive turns are
 * joined, parallel calls are one list, and text next to a call is dropped.
 */
export function toShareGpt({ messages, tools }: SftRow): ShapedRows {
  const losses: string[] = []
  const turns: Turn[] = []
  for (const message of messages) {
    if (message.role === 'system') continue
    const next = turnOf(message, losses)
    const last = turns.at(-1)
    if (!last || isAnswer(last) !== isAnswer(next)) turns.push(next)
    else turns[turns.length - 1] = merge(last, next, losses)
  }
  while (turns.length && isAnswer(turns[0]!)) {
    turns.shift()
    losses.push('messages before the first prompt are left out')
  }
  while (turns.length && !isAnswer(turns.at(-1)!)) {
    turns.pop()
    losses.push('a last prompt or tool result without an answer is left out')
  }
  if (turns.length === 0) return { rows: [], losses: ['left out: no prompt with an answer'] }
  const system = messages.filter(({ role }) => role === 'system').map(({ content }) => content)
  return {
    rows: [
      { conversations: turns, system: system.join('\n\n'), tools: tools.length ? JSON.stringify(tools.map((tool) => tool.function)) : '' },
    ],
    losses: [...new Set(losses)],
  }
}

const isAnswer = ({ from }: Turn) => from === 'gpt' || from === 'function_call'

function turnOf(message: ChatMessage, losses: string[]): Turn {
  if (message.role === 'tool') return { from: 'observation', value: message.content }
  if (message.role !== 'assistant') return { from: 'human', value: message.content }
  if (!message.tool_calls?.length) return { from: 'gpt', value: message.content }
  const [, thinking = ''] = THINKING.exec(message.content) ?? []
  if (message.content.replace(THINKING, '').trim() !== '') losses.push('text next to a tool call is left out')
  const calls = message.tool_calls.map(({ function: { name, arguments: args } }) => ({ name, arguments: args }))
  return { from: 'function_call', value: `${thinking}${thinking && '\n'}${JSON.stringify(calls.length === 1 ? calls[0] : calls)}` }
}

/** Merges two consecutive turns of the same side. */
function merge(a: Turn, b: Turn, losses: string[]): Turn {
  if (a.from === 'function_call' || b.from === 'function_call') {
    const call = b.from === 'function_call' ? b : a
    losses.push('of consecutive answers, only the tool call is kept')
    return call
  }
  return { from: a.from === 'human' || b.from === 'human' ? 'human' : a.from, value: `${a.value}\n\n${b.value}` }
}
