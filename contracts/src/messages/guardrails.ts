import { z } from 'zod'
import { GuardrailEvent } from '../entities/guardrail.ts'
import type { MessageGroup } from './group.ts'

const event = z.object({ event: GuardrailEvent })

export const guardrailMessages = {
  durable: { 'guardrail:blocked': event, 'guardrail:warn': event, 'guardrail:pii_redacted': event },
  passing: {},
} satisfies MessageGroup
