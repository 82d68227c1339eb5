import { z } from 'zod'
import { AnswerRunStatus, AnswerSetId } from '../entities/answer.ts'
import type { MessageGroup } from './group.ts'

const payload = z.object({ run: AnswerRunStatus })

export const answerMessages = {
  durable: {
    /** Sent when a run is prepared, begins or ends. */
    'answers:status': payload,
    'answers:set': z.object({ id: AnswerSetId }),
  },
  passing: { 'answers:progress': payload },
  newestOnly: { 'answers:progress': ({ run }: z.infer<typeof payload>) => run.id },
  overtakes: { 'answers:status': ({ run }: z.infer<typeof payload>) => ({ type: 'answers:progress' as const, same: run.id }) },
} satisfies MessageGroup
