import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { ClientGuard } from '../entities/client-guard.ts'
import { Cursor, Limit, page, TraceId } from '../entities/common.ts'
import {
  GuardAction,
  GuardCheck,
  GuardOverview,
  GuardProfile,
  GuardrailEvent,
  GuardRule,
  GuardSource,
  GuardTaint,
  GuardType,
  TextDirection,
} from '../entities/guardrail.ts'
import { Installed, PluginValidation } from '../entities/installed.ts'
import { Job } from '../entities/job.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('guardrails')

export const checkGuardrails = route.post('checkGuardrails', '/api/guardrails/check', {
  summary: 'Check a shell command without running it, or a text; nothing is stored, except of a call that waits for the answer',
  body: z.union([
    z.object({
      command: z.string().meta({ description: 'at most 256 KB' }),
      profile: GuardProfile.default('native'),
      cwd: notAPlace(z.string().max(4096).startsWith('/'), 'nothing is run or opened there')
        .optional()
        .meta({ description: 'absolute path of the folder that it would run in' }),
      call: z
        .object({ session: z.string().max(200).nullable(), id: z.string().max(200).nullable() })
        .optional()
        .meta({ description: 'of Claude Code, which waits for the answer: a warning is listed as asked, a block as blocked' }),
    }),
    z.object({ text: z.string().meta({ description: 'at most 8 MB' }), direction: TextDirection.default('tool_result') }),
  ]),
  response: GuardCheck,
  errors: ['payload_too_large'],
})

export const listGuardrailRules = route.get('listGuardrailRules', '/api/guardrails/rules', {
  summary: 'The rules for commands and texts, with how often each matched and how often that was wrong',
  response: z.object({ items: z.array(GuardRule) }),
})

export const getGuardrails = route.get('getGuardrails', '/api/guardrails', {
  summary: 'Checks by day and verdict, the sessions that were checked, and how much the rules for texts find',
  response: GuardOverview,
})

export const startGuardrailSweep = route.post('startGuardrailSweep', '/api/guardrails/sweep', {
  summary: 'Check commands and tool results of captured sessions that are new or different since the last time',
  status: 202,
  body: z.object({}),
  response: Job,
  errors: ['job_running'],
})

export const listGuardrailEvents = route.get('listGuardrailEvents', '/api/observability/guardrail-events', {
  summary: 'Commands and texts that a rule warned about or blocked, newest first',
  query: z.object({
    verdict: GuardrailEvent.shape.verdict.optional(),
    profile: GuardProfile.optional(),
    type: GuardType.optional(),
    source: GuardSource.optional(),
    action: GuardAction.optional(),
    rule: z.string().max(100).optional(),
    cursor: Cursor,
    limit: Limit,
  }),
  response: page(GuardrailEvent),
})

export const listGuardrailTaint = route.get('listGuardrailTaint', '/api/guardrails/taint', {
  summary: 'Dangerous and denied commands of checked sessions whose words came from the result of a tool',
  query: z.object({ traceId: TraceId.optional(), cursor: Cursor, limit: Limit }),
  response: page(GuardTaint),
})

export const listInstalled = route.get('listInstalled', '/api/guardrails/installed', {
  summary: 'What is installed in your Claude Code: where from, what it may do, what changed, and how often sessions used it',
  response: Installed,
})

export const markInstalledSeen = route.post('markInstalledSeen', '/api/guardrails/installed/seen', {
  summary: 'Mark everything that is installed as seen, so that only later changes are shown as such',
  body: z.object({}),
  response: Installed,
})

export const validateInstalled = route.post('validateInstalled', '/api/guardrails/installed/{id}/validate', {
  summary: 'Ask `claude plugin validate` about a plugin or mod; nothing of it is run',
  params: z.object({ id: z.string().max(100) }),
  body: z.object({}),
  response: PluginValidation,
  errors: ['not_found'],
})

export const reviewGuardrailEvent = route.patch('reviewGuardrailEvent', '/api/observability/guardrail-events/{id}', {
  summary: 'Say whether a verdict was right; null takes it back',
  params: z.object({ id: z.string().max(100) }),
  body: z.object({ wasRight: z.boolean().nullable() }),
  response: GuardrailEvent,
  errors: ['not_found'],
})

export const getClientGuard = route.get('getClientGuard', '/api/guardrails/client', {
  summary: "Whether the guard over Claude Code's own commands is on, how, and whether it was shown to hold",
  response: ClientGuard,
})

export const proveClientGuard = route.post('proveClientGuard', '/api/guardrails/client/prove', {
  summary: 'Start Claude Code with its plugins against an address on this machine, and see whether a harmless command is refused',
  body: z.object({}),
  response: ClientGuard,
})
