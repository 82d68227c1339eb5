import { hash } from 'node:crypto'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import { withVariants } from '../augment/variants.ts'
import { callsOf } from '../curate/candidate.ts'
import { textsOfRow } from '../curate/held-out.ts'
import { signatureOf } from '../curate/min-hash.ts'
import { clearExamples } from '../examples/clear.ts'
import { makeExamples } from '../examples/make.ts'
import type { ExamplesInput } from '../examples/types.ts'
import { contextBefore, type Context } from './context.ts'
import { spread } from './spread.ts'

export interface CallsInput extends ExamplesInput {
  options: ExampleOptions
  gate: GateInput
  /** At most this many calls, spread over the tools. */
  most: number
  contextTokens: number
  seed: number
}

/** A recorded call, with what a model reads before it. */
export interface RecordedCall extends Context {
  stepId: string | null
  call: { name: string; arguments: Record<string, unknown> }
}

export interface RecordedCalls {
  repo: string | null
  calls: RecordedCall[]
  /** Calls whose text before them does not fit. */
  tooLong: number
  /** The texts of its rows, for finding rows that are near them. */
  texts: string[]
  /** Of all its rows together, for finding sessions that are nearly the same. */
  signature: Int32Array
}

/** Calls of a session as training rows have them, cleared by the gate. Null if there is no such session. */
export default function recordedCalls(input: CallsInput): RecordedCalls | null {
  const db = readOnlyOfThread(input.database)
  const made = makeExamples(db, input)
  if (!made) return null
  const output = withVariants(db, made)
  const examples = clearExamples(output, input.gate).filter(({ state, parentId }) => state !== 'rejected' && parentId === null)
  let tooLong = 0
  const calls = examples.flatMap(({ messages, tools, stepIds }) =>
    messages.flatMap((message, at): RecordedCall[] => {
      const [first] = callsOf(message)
      if (message.role !== 'assistant' || message.weight === 0 || !first) return []
      const context = contextBefore({ messages, tools }, at, input.contextTokens)
      if (context === null) {
        tooLong += 1
        return []
      }
      return [{ ...context, stepId: stepIds[at] ?? null, call: { name: first.function.name, arguments: first.function.arguments } }]
    }),
  )
  const drawOf = ({ stepId, call }: RecordedCall, at: number) =>
    hash('sha256', JSON.stringify([input.seed, input.traceId, stepId, call, at]))
  return {
    repo: made.trace.repo,
    calls: spread(calls, { most: input.most, kindOf: ({ call }) => call.name, drawOf }),
    tooLong,
    texts: examples.flatMap(({ messages }) => textsOfRow(messages)),
    signature: signatureOf(examples.map(({ messages }) => textsOfRow(messages)[0]).join('\n')),
  }
}
