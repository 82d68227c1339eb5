import type { ChatMessage } from '#contracts/entities/example.ts'
import { callsOf, withoutWeight } from '../curate/candidate.ts'
import type { BuiltExample } from '../examples/types.ts'

/** A step that a model should not take again, with the conversation before it. */
export interface UnwantedStep {
  /** Index of its message in the example. */
  at: number
  stepId: string | null
  prompt: ChatMessage[]
  completion: ChatMessage[]
}

/**
 * What a failed session teaches not to do: its steps that failed, or if none did, the answer that it ended with. The rest of the
 * session may have been right. `failed`: ids of steps that failed.
 */
export function unwantedSteps(
  { messages, stepIds }: Pick<BuiltExample, 'messages' | 'stepIds'>,
  failed: ReadonlySet<string>,
): UnwantedStep[] {
  const found = new Map<number, { stepId: string; callIds: Set<string> }>()
  for (const [at, message] of messages.entries()) {
    const stepId = stepIds[at] ?? null
    if (message.role !== 'tool' || stepId === null || !failed.has(stepId)) continue
    const answer = messages.slice(0, at).findLastIndex(({ role }) => role === 'assistant')
    if (answer < 0) continue
    const step = found.get(answer) ?? { stepId, callIds: new Set() }
    step.callIds.add(message.tool_call_id)
    found.set(answer, step)
  }
  const last = messages.findLastIndex(({ role }) => role === 'assistant')
  if (found.size === 0) return last < 0 ? [] : [stepAt(messages, last, stepIds[last] ?? null, null)]
  return [...found].map(([at, { stepId, callIds }]) => stepAt(messages, at, stepId, callIds))
}

/** `callIds`: the calls that failed, of several at once; null: the whole answer. */
function stepAt(messages: readonly ChatMessage[], at: number, stepId: string | null, callIds: ReadonlySet<string> | null): UnwantedStep {
  const message = withoutWeight(messages[at]!)
  const calls = callsOf(message).filter(({ id }) => callIds === null || callIds.has(id))
  const completion = message.role === 'assistant' && message.tool_calls ? { ...message, tool_calls: [...calls] } : message
  return { at, stepId, prompt: messages.slice(0, at), completion: [completion] }
}
