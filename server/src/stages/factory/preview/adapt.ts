import type { ChatMessage } from '#contracts/entities/example.ts'

/** Ways in which a row is written otherwise than it is: calls at once, the system prompt, text beside calls. */
export type Change = 'calls' | 'system' | 'texts'

interface Adapted {
  changes: Change[]
  messages: ChatMessage[]
}

/**
 * The conversation as it is, then with as few changes as there are. The same rule as `bashgym_trainers/adapt.py`, where it is
 * put into words.
 */
export function* adapted(messages: readonly ChatMessage[]): Generator<Adapted> {
  const ways: Change[] = [
    ...(messages.some((message) => callsOf(message).length > 1) ? ['calls' as const] : []),
    ...(messages[0]?.role === 'system' && messages.some(({ role }) => role === 'user') ? ['system' as const] : []),
    ...(messages.some((message) => callsOf(message).length > 0 && message.content !== '') ? ['texts' as const] : []),
  ]
  for (const changes of subsets(ways)) {
    let changed = [...messages]
    for (const way of changes) changed = CHANGES[way](changed)
    yield { changes, messages: changed }
  }
}

const callsOf = (message: ChatMessage) => (message.role === 'assistant' ? (message.tool_calls ?? []) : [])

/** The smaller first. */
function subsets<Value>(values: readonly Value[]): Value[][] {
  const all = values.reduce<Value[][]>((found, value) => [...found, ...found.map((one) => [...one, value])], [[]])
  const places = (one: Value[]) => one.map((value) => values.indexOf(value)).join('')
  return all.toSorted((a, b) => a.length - b.length || places(a).localeCompare(places(b)))
}

const CHANGES = {
  calls: oneAfterAnother,
  system: systemInPrompt,
  texts: (messages: ChatMessage[]) =>
    messages.map((message) => (callsOf(message).length > 0 && message.content !== '' ? { ...message, content: '' } : message)),
} satisfies { [way in Change]: (messages: ChatMessage[]) => ChatMessage[] }

function oneAfterAnother(messages: ChatMessage[]): ChatMessage[] {
  const done: ChatMessage[] = []
  for (let at = 0; at < messages.length;) {
    const message = messages[at]!
    at += 1
    const calls = callsOf(message)
    if (message.role !== 'assistant' || calls.length < 2) {
      done.push(message)
      continue
    }
    const end = messages.findIndex(({ role }, index) => index >= at && role !== 'tool')
    const results = messages.slice(at, end < 0 ? messages.length : end)
    at += results.length
    for (const [number, call] of calls.entries()) {
      done.push({ ...message, content: number === 0 ? message.content : '', tool_calls: [call] })
      const own = results.findIndex((one) => one.role === 'tool' && one.tool_call_id === call.id)
      if (own >= 0) done.push(...results.splice(own, 1))
    }
    done.push(...results)
  }
  return done
}

function systemInPrompt(messages: ChatMessage[]): ChatMessage[] {
  const first = messages.findIndex(({ role }) => role === 'user')
  const prompt: ChatMessage = { role: 'user', content: `${messages[0]!.content}\n\n${messages[first]!.content}` }
  return [...messages.slice(1, first), prompt, ...messages.slice(first + 1)]
}
