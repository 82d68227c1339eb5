import { z } from 'zod'
import { CaptureStatus } from '../entities/capture.ts'
import { TraceId } from '../entities/common.ts'
import type { MessageGroup } from './group.ts'

export const captureMessages = {
  durable: {},
  passing: {
    'capture:status': CaptureStatus,
    'capture:notification': z.object({
      traceId: TraceId.nullable(),
      sessionId: z.string(),
      kind: z.enum(['permission', 'idle', 'rate-limit', 'error', 'other']),
      message: z.string(),
    }),
  },
  newestOnly: { 'capture:status': () => '' },
} satisfies MessageGroup
