import { hash } from 'node:crypto'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { ChatRequest } from '#server/adapters/llm/index.ts'

/** A request with a single user message. */
export interface Question extends ChatRequest {
  model: string
  system: string
  messages: readonly [{ role: 'user'; content: string }]
}

const SYSTEM =
  'You reword requests that a developer gave to a coding agent. Answer with the reworded request and nothing else: no introduction, no quotation marks, no explanation. Never answer the request itself.'

/** Used in turn, so that the variants of one prompt differ. */
const MANNERS = [
  'as another developer would put it, in other words and another order',
  'shorter and more direct',
  'more carefully, with the aim first and then what is asked',
  'casually, as typed in a hurry to a colleague',
  'formally, as the description of a ticket',
]

/** The request for one variant; `variant` counts from 1. */
export function requestFor(prompt: string, keep: readonly string[], variant: number, model: string, maxTokens: number): Question {
  const manner = MANNERS[(variant - 1) % MANNERS.length]!
  const retryClause = variant > MANNERS.length ? ` This is attempt ${variant}: use words that are not the obvious ones.` : ''
  const keepClause =
    keep.length > 0 ? ` Repeat these exactly as they are written: ${keep.map((word) => JSON.stringify(word)).join(', ')}.` : ''
  return {
    model,
    system: SYSTEM,
    messages: [
      {
        role: 'user',
        content: `Reword the request below ${manner}.${retryClause} The work that it asks for stays exactly the same, and so does its language.${keepClause}\n\n<request>\n${prompt}\n</request>`,
      },
    ],
    maxTokens,
  }
}

/** Identifies a request, so that an answered one is not sent again. */
export const requestKey = (provider: ProviderId, request: Question, exampleId: string, variant: number): string =>
  hash(
    'sha256',
    JSON.stringify([provider, request.model, request.system, request.messages[0].content, request.maxTokens, exampleId, variant]),
  )

/** A generous allowance for the chat template around both texts. */
const FRAME_TOKENS = 256

/** The most tokens that a request can be billed for; a text has at most as many tokens as bytes. */
export const maxTokensOf = ({ system, messages, maxTokens }: Question): { input: number; output: number } => ({
  input: Buffer.byteLength(system) + Buffer.byteLength(messages[0].content) + FRAME_TOKENS,
  output: maxTokens,
})
