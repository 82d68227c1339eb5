import type { AugmentPlan } from '#contracts/entities/augment.ts'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { ClearedRequest } from '#server/adapters/llm/index.ts'
import type { GateInput } from '#server/stages/privacy/index.ts'
import type { BuiltExample } from '../examples/types.ts'
import type { Question } from './request.ts'
import type { Swap } from './restore.ts'

/** Longer requests are specifications: a rewording would lose parts of them. */
const MAX_CHARS = 8000

/** So many requests, of which each makes one task or variant. */
export interface Wanted {
  exampleId: string
  requests: number
}

export interface SubjectsInput {
  database: string
  archive: string
  traceId: string
  options: ExampleOptions
  make: AugmentPlan['make']
  /** What to ask for, by example. */
  wanted: Wanted[]
  provider: ProviderId
  model: string
  maxOutputTokens: number
  gate: GateInput
}

/** An example whose prompt is to be reworded, or to be the pattern of new ones, with the requests for it as they may leave. */
export interface Subject {
  exampleId: string
  traceId: string
  sourceHash: string
  /** Uncleared; it stays here. */
  prompt: string
  keep: string[]
  swaps: Swap[]
  asks: { variant: number; key: string; request: ClearedRequest<Question> }[]
}
export interface Subjects {
  subjects: Subject[]
  passedOver: (Wanted & { reason: string })[]
}

/** The message that a variant has in other words: the last one of the user before the first answer. -1 if there is none. */
export function promptIndex(messages: BuiltExample['messages']): number {
  const answer = messages.findIndex(({ role }) => role === 'assistant')
  return messages.slice(0, answer < 0 ? messages.length : answer).findLastIndex(({ role }) => role === 'user')
}

/** Why nothing is made of the prompt of an example; null when something can be. */
export function reasonToPass(example: BuiltExample): string | null {
  const prompt = example.messages[promptIndex(example.messages)]?.content
  if (prompt === undefined || prompt.trim() === '') return 'no prompt'
  if (example.flags.includes('carried_prompt')) return 'prompt of an earlier segment'
  if (prompt.includes('[image]')) return 'prompt with an image'
  return prompt.length > MAX_CHARS ? 'long prompt' : null
}
