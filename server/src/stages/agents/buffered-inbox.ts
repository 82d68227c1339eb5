import type { AgentInput } from './driver.ts'

export interface BufferedInbox {
  /** Received but not yet sent to the agent. */
  waiting: AgentInput[]
  /** Called when an input has arrived. */
  onInput: (() => void) | null
}

/** Collects messages and answers of the user until the agent can take them. */
export function bufferInbox(inputs: AsyncIterable<AgentInput>): BufferedInbox {
  const buffered: BufferedInbox = { waiting: [], onInput: null }
  const read = async () => {
    for await (const input of inputs) {
      buffered.waiting.push(input)
      buffered.onInput?.()
    }
  }
  void read()
  return buffered
}

/** Removes all waiting messages and joins them; null if there are none. Answers and interruptions are dropped: no program is running that could receive them. */
export function messageIn({ waiting }: BufferedInbox): string | null {
  const texts = waiting.splice(0).flatMap((input) => (input.type === 'message' ? [input.text] : []))
  return texts.length === 0 ? null : texts.join('\n\n')
}
