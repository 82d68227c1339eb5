import type { AgentInput } from './driver.ts'

/** Messages and answers on their way to an agent: read once, in their order. */
export interface Inbox extends AsyncIterable<AgentInput> {
  put(input: AgentInput): void
  /** Earlier inputs are still read. */
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
