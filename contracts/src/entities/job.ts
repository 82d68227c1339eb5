import { z } from 'zod'
import { Instant } from './common.ts'

export const JobState = z.enum(['queued', 'running', 'completed', 'failed', 'cancelled']).meta({ id: 'JobState' })
export type JobState = z.infer<typeof JobState>

/** Progress of long work. `etaSec` is null until the rate has settled. */
export const JobProgress = z
  .object({
    phase: z.string(),
    done: z.number(),
    total: z.number().nullable(),
    unit: z.string(),
    bytesDone: z.number().nullable(),
    bytesTotal: z.number().nullable(),
    ratePerSec: z.number().nullable().meta({ description: 'bytes a second where bytes are known, else units a second' }),
    etaSec: z.number().nullable(),
    message: z.string().nullable(),
  })
  .meta({ id: 'JobProgress' })
export type JobProgress = z.infer<typeof JobProgress>

export const Job = z
  .object({
    id: z.string(),
    kind: z.string(),
    subject: z.string().nullable().meta({ description: 'id of what it is about, such as a data set; null: of nothing in particular' }),
    state: JobState,
    queuePosition: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'place in line among waiting jobs of its kind, from 1; null: it is not waiting' }),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    progress: JobProgress.nullable(),
    result: z.unknown(),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>
