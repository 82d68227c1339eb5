import { z } from 'zod'
import { TraceId } from '../entities/common.ts'
import { GuardrailEvent } from '../entities/guardrail.ts'
import type { MessageGroup } from './group.ts'

const event = z.object({ event: GuardrailEvent })

export const guardrailMessages = {
  durable: { 'guardrail:blocked': event, 'guardrail:warn': event, 'guardrail:pii_redacted': event },
  passing: {
    'guardrail:swept': z.object({ traceId: TraceId }).meta({ description: 'the commands and tool results of a session were checked' }),
  },
} satisfies MessageGroup
