import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { GuardProfile, GuardrailEvent, GuardRule, GuardVerdict } from '../entities/guardrail.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('guardrails')

export const checkCommand = route.post('checkCommand', '/api/guardrails/check', {
  summary: 'Check a shell command without running it; nothing is stored',
  body: z.object({
    command: z.string().meta({ description: 'at most 256 KB' }),
    profile: GuardProfile,
    cwd: notAPlace(z.string().max(4096).startsWith('/'), 'nothing is run or opened there')
      .optional()
      .meta({ description: 'absolute path of the folder that it would run in' }),
  }),
  response: GuardVerdict,
  errors: ['payload_too_large'],
})

export const listGuardrailRules = route.get('listGuardrailRules', '/api/guardrails/rules', {
  summary: 'The rules for commands',
  response: z.object({ items: z.array(GuardRule) }),
})

export const listGuardrailEvents = route.get('listGuardrailEvents', '/api/observability/guardrail-events', {
  summary: 'Commands that caused a warning or were blocked, newest first',
  query: z.object({
    verdict: GuardrailEvent.shape.verdict.optional(),
    profile: GuardProfile.optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(GuardrailEvent),
})
