import { implement } from '#contracts/derive/route.ts'
import { checkCommand, listGuardrailEvents, listGuardrailRules } from '#contracts/routes/guardrails.ts'
import type { GuardrailsService } from './service.ts'

export const guardrailsRoutes = (service: GuardrailsService) => [
  implement(checkCommand, ({ body }) => service.evaluateCommand(body.command, body.profile, body.cwd ?? null)),
  implement(listGuardrailEvents, ({ query }) => service.list(query)),
  implement(listGuardrailRules, () => ({ items: service.rules() })),
]
