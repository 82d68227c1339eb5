import { z } from 'zod'
import { TraceId } from '../entities/common.ts'
import { DatasetSummary } from '../entities/dataset.ts'
import type { MessageGroup } from './group.ts'

export const factoryMessages = {
  durable: {
    'dataset:added': z.object({ dataset: DatasetSummary }),
    'dataset:removed': z.object({ id: z.string() }),
    'examples:changed': z.object({ traceIds: z.array(TraceId), examples: z.number().int() }),
    'pairs:changed': z.object({ pairs: z.number().int() }),
    'segments:changed': z.object({ traceId: TraceId }),
  },
  passing: {},
} satisfies MessageGroup
