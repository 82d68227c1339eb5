import { implement } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/guardrails.ts'
import type { createInstalled } from './installed/service.ts'
import type { GuardrailsService } from './service.ts'

export const guardrailsRoutes = (service: GuardrailsService, installed: ReturnType<typeof createInstalled>) => [
  implement(routes.checkGuardrails, ({ body, signal }) =>
    'command' in body
      ? service.checkCommand(body.command, body.profile, body.cwd ?? null, body.call)
      : service.checkText(body.text, body.direction, signal),
  ),
  implement(routes.getClientGuard, () => service.clientGuard.report()),
  implement(routes.proveClientGuard, () => service.clientGuard.prove()),
  implement(routes.getGuardrails, () => service.overview()),
  implement(routes.listGuardrailRules, async () => ({ items: await service.rules() })),
  implement(routes.startGuardrailSweep, () => service.startSweep()),
  implement(routes.listGuardrailEvents, ({ query }) => service.list(query)),
  implement(routes.listGuardrailTaint, ({ query }) => service.taint(query)),
  implement(routes.listInstalled, () => installed.list()),
  implement(routes.markInstalledSeen, () => installed.markSeen()),
  implement(routes.validateInstalled, ({ params, signal }) => installed.validate(params.id, signal)),
  implement(routes.reviewGuardrailEvent, ({ params, body }) => service.review(params.id, body.wasRight)),
]
