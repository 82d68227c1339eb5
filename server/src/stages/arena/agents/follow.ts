import type { AgentInput } from './driver.ts'

export interface Following {
  /** Received and not sent yet; what cannot be sent any more stays here. */
  waiting: AgentInput[]
  /** Called when something has come. */
  onInput: (() => void) | null
}

/** Messages and answers of the user as a list, for an agent that takes them when it can. */
export function follow(inputs: AsyncIterable<AgentInput>): Following {
  const following: Following = { waiting: [], onInput: null }
  const read = async () => {
    for await (const input of inputs) {
      following.waiting.push(input)
      following.onInput?.()
    }
  }
  void read()
  return following
}

/** All waiting messages as one; null: none. Answers and interruptions are dropped: nothing runs that could receive them. */
export function messageIn({ waiting }: Following): string | null {
  const texts = waiting.splice(0).flatMap((input) => (input.type === 'message' ? [input.text] : []))
  return texts.length === 0 ? null : texts.join('\n\n')
}
