import { z } from 'zod'
import { Job, JobProgress } from '../entities/job.ts'
import type { MessageGroup } from './group.ts'

const progress = z.object({ id: z.string(), kind: z.string(), progress: JobProgress })
const replacesProgress = ({ job }: { job: Job }) => ({ type: 'job:progress', same: job.id })

export const jobMessages = {
  durable: {
    'job:complete': z.object({ job: Job }),
    'job:failed': z.object({ job: Job }),
  },
  passing: {
    'job:progress': progress,
  },
  newestOnly: { 'job:progress': ({ id }: z.infer<typeof progress>) => id },
  overtakes: { 'job:complete': replacesProgress, 'job:failed': replacesProgress },
} satisfies MessageGroup
