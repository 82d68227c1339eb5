import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Environment, EnvironmentId, EnvironmentSpec } from '../entities/environment.ts'
import { RawText, TerminalToolCall } from '../entities/tool-call.ts'

const route = routesOf('environments')

export const readToolCall = route.post('readToolCall', '/api/arena/tool-call', {
  summary: 'Parse the `terminal` tool call in a message of a model; nothing is run, and a refused call has the reason',
  body: z.object({ text: z.string(), raw: RawText.optional() }),
  response: TerminalToolCall,
})
export const listEnvironments = route.get('listEnvironments', '/api/environments', {
  summary: 'Running environment servers, with their sessions and sandboxes',
  response: z.object({ items: z.array(Environment) }),
})
export const startEnvironment = route.post('startEnvironment', '/api/environments', {
  summary: 'Start an environment server for other trainers, at a separate address',
  body: EnvironmentSpec.extend({
    token: z
      .string()
      .regex(/^[\w.-]{32,200}$/, 'must be 32 to 200 letters, digits, dots and dashes')
      .optional()
      .meta({ description: 'token that callers must send; default: a new one' }),
  }),
  response: Environment.extend({ token: z.string().meta({ description: 'returned only once' }) }),
  status: 201,
  errors: ['environment_refused', 'port_taken', 'path_refused', 'shell_split_not_found', 'confirmation_required'],
})
export const keepEnvironment = route.post('keepEnvironment', '/api/environments/{id}/keep', {
  summary: 'Keeps a connection that sends a line break at times: when the caller is gone, the server stops; when it stops, this ends',
  params: z.object({ id: EnvironmentId }),
  stored: { none: 'it only ends with its caller' },
  produces: 'application/x-ndjson',
  errors: ['environment_not_found'],
})
export const stopEnvironment = route.delete('stopEnvironment', '/api/environments/{id}', {
  summary: 'Stop an environment server; its sessions and their sandboxes end',
  params: z.object({ id: EnvironmentId }),
  response: z.object({ id: EnvironmentId }),
  errors: ['environment_not_found'],
})
