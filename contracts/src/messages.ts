import { z } from 'zod'
import { CaptureStatus } from './entities/capture.ts'
import { Instant, Tier, TraceId } from './entities/common.ts'
import { DatasetSummary } from './entities/dataset.ts'
import { GuardrailEvent } from './entities/guardrail.ts'
import { Job, JobProgress } from './entities/job.ts'
import { Model, Serving } from './entities/model.ts'
import { Run, RunLogLine, TrainingQueue } from './entities/run.ts'
import { Sandbox, SandboxCapacity, SandboxUsage } from './entities/sandbox.ts'
import { Settings } from './entities/settings.ts'
import { Trace } from './entities/trace.ts'

/** Facts: appended with their rows, replayed after a reconnect. Payloads carry ids, counts and list rows, never session text. */
export const DurableMessage = {
  'trace:added': z.object({ trace: Trace }),
  'trace:updated': z.object({ id: TraceId, trace: Trace, fromSeq: z.number().nullable(), toSeq: z.number().nullable() }),
  'trace:removed': z.object({ id: TraceId }),
  'trace:batch': z.object({ jobId: z.string().nullable(), added: z.array(TraceId), updated: z.array(TraceId) }),
  'trace:promoted': z.object({ trace: Trace, from: Tier, to: Tier, by: z.string(), reason: z.string().nullable() }),
  'trace:demoted': z.object({ trace: Trace, from: Tier, to: Tier, by: z.string(), reason: z.string().nullable() }),
  'job:complete': z.object({ job: Job }),
  'job:failed': z.object({ job: Job }),
  'settings:changed': z.object({ settings: Settings }),
  'dataset:added': z.object({ dataset: DatasetSummary }),
  'dataset:removed': z.object({ id: z.string() }),
  'examples:changed': z.object({ traceIds: z.array(TraceId), examples: z.number().int() }),
  'pairs:changed': z.object({ pairs: z.number().int() }),
  'segments:changed': z.object({ traceId: TraceId }),
  'training:changed': z.object({ run: Run }),
  'training:removed': z.object({ id: z.string() }),
  'training:queue': TrainingQueue,
  'training:complete': z.object({
    runId: z.string(),
    modelId: z.string().nullable(),
    metrics: z.record(z.string(), z.number().nullable()),
    durationMs: z.number().nullable(),
    run: Run,
  }),
  'training:failed': z.object({
    runId: z.string(),
    error: z.object({ code: z.string(), message: z.string(), logTail: z.string() }),
    run: Run,
  }),
  'model:changed': z.object({ model: Model }),
  'model:removed': z.object({ id: z.string() }),
  'guardrail:blocked': z.object({ event: GuardrailEvent }),
  'guardrail:warn': z.object({ event: GuardrailEvent }),
  'sandbox:status': z.object({ sandbox: Sandbox }),
  'sandbox:removed': z.object({ id: z.string() }),
  'privacy:changed': z.object({ policyHash: z.string(), reason: z.enum(['scan', 'decision', 'policy', 'release']) }),
} as const

/** Passing ones: `seq` null, coalesced, read from their resource after a reconnect. */
export const PassingMessage = {
  'job:progress': z.object({ id: z.string(), kind: z.string(), progress: JobProgress }),
  'training:progress': z.object({
    runId: z.string(),
    seq: z.number().int().meta({ description: 'of the event in the run' }),
    step: z.number().int(),
    totalSteps: z.number().int().nullable(),
    epoch: z.number().nullable(),
    tokens: z.number().nullable(),
    seconds: z.number(),
    tokensPerSec: z.number().nullable(),
    etaSec: z.number().nullable(),
    points: z
      .array(
        z.object({
          seq: z.number().int().meta({ description: 'of its event: a series with a greater `seq` holds it already' }),
          step: z.number(),
          epoch: z.number().nullable(),
          tokens: z.number().nullable(),
          seconds: z.number(),
          metrics: z.record(z.string(), z.number().nullable()),
        }),
      )
      .meta({
        description:
          'every point since the last message: none is left out. One whose step is not beyond the last takes back those from it on',
      }),
  }),
  /** What events of the run say; what its trainer prints comes by the stream `run-log`. */
  'training:log': z.object({ runId: z.string(), lines: z.array(RunLogLine) }),
  'model:servings': z.object({ items: z.array(Serving) }),
  'sandbox:activity': z.object({
    id: z.string(),
    busy: z.boolean(),
    sessionCommandCount: z.number().int(),
    lastUsedAt: Instant.nullable(),
  }),
  'sandbox:usage': z.object({ items: z.array(SandboxUsage) }),
  'sandbox:queue': SandboxCapacity,
  'capture:status': CaptureStatus,
  'sign-ins:changed': z.object({}),
  'confirmation:confirmed': z.object({ id: z.string() }),
  'capture:notification': z.object({
    traceId: TraceId.nullable(),
    sessionId: z.string(),
    kind: z.enum(['permission', 'idle', 'rate-limit', 'error', 'other']),
    message: z.string(),
  }),
} as const

/**
 * Messages of which only the newest counts, with what makes two of them the same: one that has not been sent yet is replaced
 * by its newer one. Those that are not named here all count.
 */
export const newestOnly: { [T in PassingType]?: (payload: Payload<T>) => string } = {
  'job:progress': ({ id }) => id,
  'capture:status': () => '',
  'sandbox:activity': ({ id }) => id,
  'sandbox:queue': () => '',
  'sandbox:usage': () => '',
}

/** Messages after which a waiting one of `newestOnly` is void. */
export const overtakes: { [T in DurableType]?: (payload: Payload<T>) => { type: keyof typeof newestOnly; same: string } } = {
  'job:complete': ({ job }) => ({ type: 'job:progress', same: job.id }),
  'job:failed': ({ job }) => ({ type: 'job:progress', same: job.id }),
}

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

/** The first message of a client, and again after `reset`. */
export const ClientMessage = z.object({
  type: z.literal('subscribe'),
  topics: z.array(z.string().max(100)).min(1).max(100).default(['*']),
  afterSeq: z.number().int().min(0).nullable().default(null),
  epoch: z.string().max(100).optional(),
  key: z.string().max(200).optional().meta({ description: 'session key, in the first message of a browser' }),
})
export type ClientMessage = z.infer<typeof ClientMessage>

/** Close codes of the socket, each with the reason that is sent. */
export const CLOSE = {
  badMessage: { code: 4400, reason: 'message not understood' },
  unauthorized: { code: 4401, reason: 'signed out' },
  tooMany: { code: 4429, reason: 'too many clients are connected' },
  tooSlow: { code: 4408, reason: 'too slow: reconnect and resume' },
  noSubscribe: { code: 4409, reason: 'no subscribe within 10 s' },
  goingAway: { code: 1001, reason: 'server is stopping' },
} as const
