import { z } from 'zod'
import { CollectorKind } from '../settings/telemetry.ts'
import { Instant } from './common.ts'
import { RecordedId, SpanKind, SpanTokens } from './profile.ts'

const count = z.number().int()

/** A variable of Claude Code that decides what its telemetry says. */
export const TelemetryVariable = z.object({
  name: z.string(),
  value: z.string(),
  reveals: z.string().meta({ description: 'what telemetry then has' }),
  isContent: z.boolean().meta({ description: 'whether that is text of your sessions; not needed for figures' }),
})
export type TelemetryVariable = z.infer<typeof TelemetryVariable>

/** The address where telemetry comes in, and what has come since the server started. */
export const TelemetryIn = z
  .object({
    isOn: z.boolean(),
    address: z.string().nullable().meta({ description: 'null: not open' }),
    problem: z.string().nullable().meta({ description: 'why it is not open, as a sentence' }),
    variables: z.array(TelemetryVariable).meta({ description: 'for the `env` of Claude Code’s settings.json, or a terminal' }),
    spans: count,
    requests: count.meta({ description: 'requests to a model that logs or spans told of' }),
    repeated: count.meta({ description: 'spans and requests that had come before and were not stored again' }),
    ignored: count.meta({ description: 'other logs, and metrics: their figures are in spans and requests' }),
    refused: count.meta({ description: 'messages that were too long, broken or without the token' }),
    lastAt: Instant.nullable(),
  })
  .meta({ id: 'TelemetryIn' })
export type TelemetryIn = z.infer<typeof TelemetryIn>

/** A collector that spans are sent to. Counts are traces since the server started. */
export const TelemetryOut = z
  .object({
    kind: CollectorKind,
    url: z.string(),
    isHere: z.boolean().meta({ description: 'whether the address is of this machine' }),
    queued: count,
    sent: count,
    dropped: count.meta({ description: 'not sent: the queue was full, or the collector refused or was down for too long' }),
    notSampled: count,
    problem: z.string().nullable().meta({ description: 'why the last attempt failed, as a sentence' }),
    nextTryAt: Instant.nullable(),
  })
  .meta({ id: 'TelemetryOut' })
export type TelemetryOut = z.infer<typeof TelemetryOut>

export const Telemetry = z.object({ in: TelemetryIn, out: z.array(TelemetryOut) }).meta({ id: 'Telemetry' })
export type Telemetry = z.infer<typeof Telemetry>

const HexId = z.string().regex(/^[0-9a-f]{16}$/)
const Label = z.string().max(2000)
/** A span as another program sends it. Its text stays on this machine, and is cleared before it is sent on. */
export const NewSpan = z
  .object({
    traceId: RecordedId,
    id: HexId,
    parentId: HexId.nullable().default(null),
    kind: SpanKind.default('other'),
    name: Label.min(1),
    label: Label.nullable().default(null),
    startedAt: Instant.pipe(z.iso.datetime({ offset: true })),
    durationMs: z.number().min(0).max(1e12).nullable().default(null),
    tokens: SpanTokens.optional(),
    costUsd: z.number().nullable().default(null),
    error: Label.nullable().default(null),
  })
  .meta({ id: 'NewSpan' })
export type NewSpan = z.infer<typeof NewSpan>
