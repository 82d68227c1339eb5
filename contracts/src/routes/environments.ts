import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Environment, EnvironmentId, EnvironmentSpec } from '../entities/environment.ts'
import { RawText, TerminalToolCall } from '../entities/tool-call.ts'

const route = routesOf('environments')

export const readToolCall = route.post('readToolCall', '/api/arena/tool-call', {
  summary: 'Read the call of the tool `terminal` out of a message of a model; nothing is run, and a refused message says why',
  body: z.object({ text: z.string(), raw: RawText.optional() }),
  response: TerminalToolCall,
})
export const listEnvironments = route.get('listEnvironments', '/api/environments', {
  summary: 'Servers of environments that run, with their sessions and sandboxes',
  response: z.object({ items: z.array(Environment) }),
})
export const startEnvironment = route.post('startEnvironment', '/api/environments', {
  summary: 'Serve environments for the trainers of others, at an address of its own',
  body: EnvironmentSpec.extend({
    token: z
      .string()
      .min(16)
      .max(200)
      .regex(/^[\w.-]+$/, 'must be letters, digits, dots and dashes')
      .nullable()
      .optional()
      .meta({ description: 'that callers show; left out: one is made; null: none, for programs of this user on this machine' }),
  }),
  response: Environment.extend({ token: z.string().nullable().meta({ description: 'returned only once' }) }),
  status: 201,
  errors: ['environment_refused', 'port_taken', 'path_refused', 'shell_split_not_found'],
})
export const stopEnvironment = route.delete('stopEnvironment', '/api/environments/{id}', {
  summary: 'Stop a server of environments; its sessions and their sandboxes end',
  params: z.object({ id: EnvironmentId }),
  response: z.object({ id: EnvironmentId }),
  errors: ['environment_not_found'],
})
