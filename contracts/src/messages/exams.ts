import { z } from 'zod'
import { ExamId, ExamRun } from '../entities/exam.ts'
import type { MessageGroup } from './group.ts'

const progress = z.object({ run: ExamRun })

export const examMessages = {
  durable: {
    'exam:added': z.object({ id: ExamId }),
    /** Sent when a run is completed, paused or cancelled, and when it is decided. */
    'evaluation:complete': progress,
    'evaluation:failed': progress,
  },
  passing: {
    /** Sent when a run is created or begins, and with its answers. */
    'evaluation:progress': progress,
    /** Sent when it is switched on or off, and when it cannot start. */
    'thermometer:changed': z.object({ isOn: z.boolean() }),
  },
  newestOnly: { 'evaluation:progress': ({ run }: z.infer<typeof progress>) => run.id },
  overtakes: {
    'evaluation:complete': ({ run }: z.infer<typeof progress>) => ({ type: 'evaluation:progress' as const, same: run.id }),
    'evaluation:failed': ({ run }: z.infer<typeof progress>) => ({ type: 'evaluation:progress' as const, same: run.id }),
  },
} satisfies MessageGroup
