import { z } from 'zod'
import { route } from '../derive/route.ts'
import { Cursor, Limit, page } from '../entities/common.ts'
import { GuardProfile, GuardrailEvent, GuardRule, GuardVerdict } from '../entities/guardrail.ts'

const group = 'guardrails'

export const checkCommand = route({
  name: 'checkCommand',
  group,
  method: 'post',
  path: '/api/guardrails/check',
  summary: 'Judge a shell command without running it; nothing is stored',
  body: z.object({
    command: z.string().meta({ description: 'at most 256 KB' }),
    profile: GuardProfile,
    cwd: z.string().max(4096).startsWith('/').optional().meta({ description: 'absolute path of the folder that it would run in' }),
  }),
  response: GuardVerdict,
  errors: ['payload_too_large'],
})

export const listGuardrailRules = route({
  name: 'listGuardrailRules',
  group,
  method: 'get',
  path: '/api/guardrails/rules',
  summary: 'The rules for commands',
  response: z.object({ items: z.array(GuardRule) }),
  errors: [],
})

export const listGuardrailEvents = route({
  name: 'listGuardrailEvents',
  group,
  method: 'get',
  path: '/api/observability/guardrail-events',
  summary: 'Commands that were warned about or blocked, newest first',
  query: z.object({
    verdict: GuardrailEvent.shape.verdict.optional(),
    profile: GuardProfile.optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(GuardrailEvent),
  errors: [],
})
