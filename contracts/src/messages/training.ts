import { z } from 'zod'
import { Run, RunLogLine, TrainingQueue } from '../entities/run.ts'
import type { MessageGroup } from './group.ts'

export const trainingMessages = {
  durable: {
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
  },
  passing: {
    'training:progress': z.object({
      runId: z.string(),
      seq: z.number().int().meta({ description: 'number of the event in the run' }),
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
            seq: z.number().int().meta({ description: 'number of its event; a series with a greater `seq` includes the point already' }),
            step: z.number(),
            epoch: z.number().nullable(),
            tokens: z.number().nullable(),
            seconds: z.number(),
            metrics: z.record(z.string(), z.number().nullable()),
          }),
        )
        .meta({
          description:
            'all points since the last message. A point whose step is not above the last one replaces the points from its step on',
        }),
    }),
    /** Events of the run as log lines; the stream `run-log` has the output of its trainer. */
    'training:log': z.object({ runId: z.string(), lines: z.array(RunLogLine) }),
  },
} satisfies MessageGroup
