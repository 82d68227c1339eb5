import { z } from 'zod'
import { BenchmarkRun } from '../entities/benchmark.ts'
import type { MessageGroup } from './group.ts'

const progress = z.object({ run: BenchmarkRun })

export const benchmarkMessages = {
  durable: {
    /** Sent when a run begins, goes on, is done or cancelled. */
    'benchmark:complete': progress,
    /** Sent when a run stops before its end. */
    'benchmark:failed': progress,
  },
  passing: { 'benchmark:progress': progress },
  newestOnly: { 'benchmark:progress': ({ run }: z.infer<typeof progress>) => run.id },
  overtakes: {
    'benchmark:complete': ({ run }: z.infer<typeof progress>) => ({ type: 'benchmark:progress' as const, same: run.id }),
    'benchmark:failed': ({ run }: z.infer<typeof progress>) => ({ type: 'benchmark:progress' as const, same: run.id }),
  },
} satisfies MessageGroup
