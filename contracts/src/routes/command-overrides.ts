import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { CommandOverride, CommandVerdict, StepCommands } from '../entities/command-override.ts'
import { TraceId } from '../entities/common.ts'
import { notAPlace } from '../places.ts'

const route = routesOf('scoring')

export const listCommandOverrides = route.get('listCommandOverrides', '/api/scoring/commands', {
  summary: 'Commands that the user marked as test commands, or not',
  response: z.object({ items: z.array(CommandOverride) }),
})

export const getStepCommands = route.post('getStepCommands', '/api/traces/{id}/commands', {
  summary: 'The simple commands in a command of this session, with the overrides of the user',
  params: z.object({ id: TraceId }),
  body: z.object({ command: z.string().max(100_000), cwd: notAPlace(z.string().max(4096), 'nothing is run or opened there').nullable() }),
  response: StepCommands,
  errors: ['trace_not_found'],
})

/** Rescores the sessions of the project: `traceId` before the response, the others in a job. */
export const setCommandOverride = route.post('setCommandOverride', '/api/scoring/commands', {
  summary: 'Mark a command in a project as a test command, or not',
  body: z.object({
    project: notAPlace(z.string().max(4096), 'compared with the folders of sessions, never opened'),
    words: z.string().trim().min(1).max(4000),
    verdict: CommandVerdict,
    traceId: TraceId.optional().meta({ description: 'the session to score again at once' }),
  }),
  response: CommandOverride,
  errors: ['trace_not_found'],
})

export const removeCommandOverride = route.delete('removeCommandOverride', '/api/scoring/commands/{id}', {
  summary: 'Remove the override of a command, so that the rules decide again',
  params: z.object({ id: z.string().max(100) }),
  query: z.object({ traceId: TraceId.optional().meta({ description: 'the session to score again at once' }) }),
  response: CommandOverride,
  errors: ['command_override_not_found', 'trace_not_found'],
})
