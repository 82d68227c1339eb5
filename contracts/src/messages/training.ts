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
  },
} satisfies MessageGroup
