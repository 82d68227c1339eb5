import type { ChatMessage } from '#contracts/entities/example.ts'
import { callsOf } from '../curate/candidate.ts'

/** Changes for templates that lack a feature: splits parallel calls, moves the system prompt, moves text beside calls into a message of its own, or drops it. */
export type Change = 'calls' | 'system' | 'apart' | 'texts'

interface Adaptation {
  changes: Change[]
  messages: ChatMessage[]
}

/**
 * The unchanged conversation, then each combination of changes, the smallest first. The same rule as
 * `bashgym_trainers/adapt.py`, which explains it.
 */
export function* adaptations(messages: readonly ChatMessage[]): Generator<Adaptation> {
  const candidates: Change[] = [
    ...(messages.some((message) => callsOf(message).length > 1) ? ['calls' as const] : []),
    ...(messages[0]?.role === 'system' && messages.some(({ role }) => role === 'user') ? ['system' as const] : []),
    ...(messages.some(hasTextBesideCalls) ? ['apart' as const, 'texts' as const] : []),
  ]
  for (const changes of subsets(candidates)) {
    if (changes.includes('apart') && changes.includes('texts')) continue
    let changed = [...messages]
    for (const change of changes) changed = CHANGES[change](changed)
    yield { changes, messages: changed }
  }
}

const hasTextBesideCalls = (message: ChatMessage) => callsOf(message).length > 0 && message.content !== ''

export function withoutTexts(messages: readonly ChatMessage[]): ChatMessage[] {
  return messages.map((message) => (hasTextBesideCalls(message) ? { ...message, content: '' } : message))
}

/** All subsets, the smallest first. */
function subsets<Value>(values: readonly Value[]): Value[][] {
  const all = values.reduce<Value[][]>((smaller, value) => [...smaller, ...smaller.map((one) => [...one, value])], [[]])
  const positionsOf = (one: Value[]) => one.map((value) => values.indexOf(value)).join('')
  return all.toSorted((a, b) => a.length - b.length || positionsOf(a).localeCompare(positionsOf(b)))
}

const CHANGES = {
  calls: splitParallelCalls,
  system: moveSystemIntoPrompt,
  apart: (messages: ChatMessage[]) =>
    messages.flatMap((message): ChatMessage[] =>
      hasTextBesideCalls(message)
        ? [
            { role: 'assistant', content: message.content, weight: 0 },
            { ...message, content: '' },
          ]
        : [message],
    ),
  texts: withoutTexts,
} satisfies { [change in Change]: (messages: ChatMessage[]) => ChatMessage[] }

function splitParallelCalls(messages: ChatMessage[]): ChatMessage[] {
  const result: ChatMessage[] = []
  for (let at = 0; at < messages.length;) {
    const message = messages[at]!
    at += 1
    const calls = callsOf(message)
    if (message.role !== 'assistant' || calls.length < 2) {
      result.push(message)
      continue
    }
    const end = messages.findIndex(({ role }, index) => index >= at && role !== 'tool')
    const results = messages.slice(at, end < 0 ? messages.length : end)
    at += results.length
    for (const [number, call] of calls.entries()) {
      result.push({ ...message, content: number === 0 ? message.content : '', tool_calls: [call] })
      const resultIndex = results.findIndex((one) => one.role === 'tool' && one.tool_call_id === call.id)
      if (resultIndex >= 0) result.push(...results.splice(resultIndex, 1))
    }
    result.push(...results)
  }
  return result
}

function moveSystemIntoPrompt(messages: ChatMessage[]): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role === 'user')
  const prompt: ChatMessage = { role: 'user', content: `${messages[0]!.content}\n\n${messages[first]!.content}` }
  return [...messages.slice(1, first), prompt, ...messages.slice(first + 1)]
}
