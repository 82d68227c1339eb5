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
    ratePerSec: z.number().nullable().meta({ description: 'bytes per second if bytes are counted, otherwise units per second' }),
    etaSec: z.number().nullable(),
    message: z.string().nullable(),
  })
  .meta({ id: 'JobProgress' })
export type JobProgress = z.infer<typeof JobProgress>

export const Job = z
  .object({
    id: z.string(),
    kind: z.string(),
    subject: z.string().nullable().meta({ description: 'id of what the job works on, such as a data set' }),
    state: JobState,
    queuePosition: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'position among waiting jobs of its kind, from 1; null if it is not waiting' }),
    createdAt: Instant,
    startedAt: Instant.nullable(),
    endedAt: Instant.nullable(),
    progress: JobProgress.nullable(),
    result: z.unknown(),
    error: z.object({ code: z.string(), message: z.string(), hint: z.string().nullable() }).nullable(),
  })
  .meta({ id: 'Job' })
export type Job = z.infer<typeof Job>
