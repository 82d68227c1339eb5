import type { AgentInput } from './driver.ts'

/** A queue of messages and answers for an agent. Can be iterated once. */
export interface Inbox extends AsyncIterable<AgentInput> {
  put(input: AgentInput): void
  /** Ends the queue after the inputs that are already in it. */
  end(): void
}

export function createInbox(): Inbox {
  const waiting: AgentInput[] = []
  let isOver = false
  let wake = Promise.withResolvers<void>()
  return {
    put(input) {
      waiting.push(input)
      wake.resolve()
    },
    end() {
      isOver = true
      wake.resolve()
    },
    async *[Symbol.asyncIterator]() {
      for (;;) {
        const next = waiting.shift()
        if (next !== undefined) yield next
        else if (isOver) return
        else {
          await wake.promise
          wake = Promise.withResolvers<void>()
        }
      }
    },
  }
}
