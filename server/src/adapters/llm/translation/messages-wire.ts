import { anthropic } from '../anthropic/dialect.ts'
import { ProviderError } from '../error.ts'
import { readStream } from '../events.ts'
import type { ChatRequest, StreamEvent } from '../types.ts'

/** A request as the body of one to the Messages API, answered by a stream. */
export const wireOfMessages = (request: ChatRequest): object => ({ ...anthropic.body(request), ...anthropic.streaming })

/** The events of an answer of the Messages API, then the complete answer. Throws `ProviderError`. */
export async function* readMessagesStream(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<StreamEvent, void> {
  const reader = anthropic.createReader()
  yield* readStream(bytes, reader, anthropic.endMark, {
    unreadable: (detail) => new ProviderError('bad_answer', { detail, mayCost: true }),
    brokenOff: () => new ProviderError('unreachable', { detail: 'The answer is incomplete.', mayCost: true }),
    refused: ({ reason }) => new ProviderError('overloaded', { reason, mayCost: true }),
  })
  const answer = reader.answer()
  yield { type: 'done', completion: { ...answer, costUsd: null } }
}
