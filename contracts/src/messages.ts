import { z } from 'zod'
import { merged } from './merged.ts'
import { answerMessages } from './messages/answers.ts'
import { arenaMessages } from './messages/arena.ts'
import { benchmarkMessages } from './messages/benchmarks.ts'
import { captureMessages } from './messages/capture.ts'
import { factoryMessages } from './messages/factory.ts'
import { guardrailMessages } from './messages/guardrails.ts'
import { jobMessages } from './messages/jobs.ts'
import { examMessages } from './messages/exams.ts'
import { modelMessages } from './messages/models.ts'
import { observabilityMessages } from './messages/observability.ts'
import { privacyMessages } from './messages/privacy.ts'
import { routerMessages } from './messages/router.ts'
import { settingsMessages } from './messages/settings.ts'
import { systemMessages } from './messages/system.ts'
import { traceMessages } from './messages/traces.ts'
import { trainingMessages } from './messages/training.ts'
import type { MessageGroup } from './messages/group.ts'

const groups = [
  traceMessages,
  jobMessages,
  settingsMessages,
  guardrailMessages,
  observabilityMessages,
  arenaMessages,
  factoryMessages,
  trainingMessages,
  modelMessages,
  examMessages,
  benchmarkMessages,
  answerMessages,
  privacyMessages,
  captureMessages,
  routerMessages,
  systemMessages,
] as const

export const DurableMessage = merged(groups.map(({ durable }) => durable))
export const PassingMessage = merged(groups.map(({ passing }) => passing))

/**
 * Transient messages that are replaced by a newer one if they are not sent yet, with the key by which they are replaced.
 * All other messages are sent.
 */
export const newestOnly: { [T in PassingType]?: (payload: Payload<T>) => string } = merged(
  groups.map((group: MessageGroup) => group.newestOnly ?? {}),
)

/** Durable messages that replace a waiting message of `newestOnly`. */
export const overtakes: { [T in DurableType]?: (payload: Payload<T>) => { type: keyof typeof newestOnly; same: string } } = merged(
  groups.map((group: MessageGroup) => group.overtakes ?? {}),
)

export const ControlMessage = {
  hello: z.object({ epoch: z.string(), seq: z.number().int() }),
  reset: z.object({ epoch: z.string(), seq: z.number().int(), reason: z.string() }),
} as const

export const serverMessages = { ...DurableMessage, ...PassingMessage, ...ControlMessage }
export type ServerMessages = typeof serverMessages
export type ServerMessageType = keyof ServerMessages
export type DurableType = keyof typeof DurableMessage
export type PassingType = keyof typeof PassingMessage
export type Payload<T extends ServerMessageType> = z.infer<ServerMessages[T]>

export type ServerMessage = {
  [T in ServerMessageType]: { type: T; seq: number | null; at: string; payload: Payload<T> }
}[ServerMessageType]

/** The first message of a client, which it sends again after `reset`. */
export const ClientMessage = z.object({
  type: z.literal('subscribe'),
  topics: z.array(z.string().max(100)).min(1).max(100).default(['*']),
  afterSeq: z.number().int().min(0).nullable().default(null),
  epoch: z.string().max(100).optional(),
  key: z.string().max(200).optional().meta({ description: 'session key, in the first message of a browser' }),
})
export type ClientMessage = z.infer<typeof ClientMessage>

/** Close codes of the sockets, with the reason that is sent. */
export const CLOSE = {
  badMessage: { code: 4400, reason: 'message not understood' },
  unauthorized: { code: 4401, reason: 'signed out' },
  tooMany: { code: 4429, reason: 'too many clients are connected' },
  tooSlow: { code: 4408, reason: 'too slow: reconnect and resume' },
  noSubscribe: { code: 4409, reason: 'no subscribe within 10 s' },
  goingAway: { code: 1001, reason: 'server is stopping' },
} as const
