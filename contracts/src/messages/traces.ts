import { z } from 'zod'
import { Tier, TraceId } from '../entities/common.ts'
import { Trace } from '../entities/trace.ts'
import type { MessageGroup } from './group.ts'

export const traceMessages = {
  durable: {
    'trace:added': z.object({ trace: Trace }),
    'trace:updated': z.object({ id: TraceId, trace: Trace, fromSeq: z.number().nullable(), toSeq: z.number().nullable() }),
    'trace:removed': z.object({ id: TraceId }),
    'trace:batch': z.object({ jobId: z.string().nullable(), added: z.array(TraceId), updated: z.array(TraceId) }),
    'trace:promoted': z.object({ trace: Trace, from: Tier, to: Tier, by: z.string(), reason: z.string().nullable() }),
    'trace:demoted': z.object({ trace: Trace, from: Tier, to: Tier, by: z.string(), reason: z.string().nullable() }),
  },
  passing: {},
} satisfies MessageGroup
