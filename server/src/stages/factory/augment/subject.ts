import type { AugmentPlan } from '#contracts/entities/augment.ts'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { ClearedRequest } from '#server/adapters/llm/index.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import { splitAtAnswer } from '../curate/candidate.ts'
import type { BuiltExample } from '../examples/types.ts'
import type { Question } from './request.ts'
import type { Swap } from './restore.ts'

/** Longer requests are specifications: a rewording would lose parts of them. */
const MAX_CHARS = 8000

/** How many tasks or variants to request for an example. */
export interface RequestCount {
  exampleId: string
  requests: number
}

export interface SubjectsInput {
  database: string
  archive: string
  traceId: string
  options: ExampleOptions
  make: AugmentPlan['make']
  requestCounts: RequestCount[]
  provider: ProviderId
  model: string
  maxOutputTokens: number
  gateInput: GateInput
}

/** An example to reword or imitate, with its cleared requests. */
export interface Subject {
  exampleId: string
  traceId: string
  sourceHash: string
  /** Uncleared; never sent. */
  prompt: string
  keep: string[]
  swaps: Swap[]
  asks: { variant: number; key: string; request: ClearedRequest<Question> }[]
}
export interface Subjects {
  subjects: Subject[]
  passedOver: (RequestCount & { reason: string })[]
}

/** The message that a variant rewords: the last user message before the first answer. -1 if there is none. */
export function promptIndex(messages: BuiltExample['messages']): number {
  return splitAtAnswer(messages).prompt.findLastIndex(({ role }) => role === 'user')
}

/** Why the prompt of an example is skipped; null if it is usable. */
export function reasonToSkip(example: BuiltExample): string | null {
  const prompt = example.messages[promptIndex(example.messages)]?.content
  if (prompt === undefined || prompt.trim() === '') return 'no prompt'
  if (example.flags.includes('carried_prompt')) return 'prompt of an earlier segment'
  if (prompt.includes('[image]')) return 'prompt with an image'
  return prompt.length > MAX_CHARS ? 'long prompt' : null
}
