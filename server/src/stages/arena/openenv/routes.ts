import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/environments.ts'
import { AppError } from '#contracts/errors.ts'
import { type Environments, isLoopback } from './service.ts'
import { buildTerminalToolCall } from './tool-call.ts'

export const environmentRoutes = (environments: Environments): Implementation[] => [
  implement(routes.readToolCall, ({ body: { text, raw } }) => buildTerminalToolCall(text, { raw })),
  implement(routes.listEnvironments, () => ({ items: environments.list() })),
  implement(routes.startEnvironment, ({ body, caller }) => {
    if (caller.kind !== 'owner' && !isLoopback(body.host))
      throw new AppError('environment_refused', {
        message: `From the app, an environment server can listen on this machine only, not on ${body.host}.`,
        hint: `Start it on the command line: bashgym openenv serve --host ${body.host} --token-file FILE.`,
      })
    return environments.start(body)
  }),
  implement(routes.stopEnvironment, async ({ params }) => {
    await environments.stop(params.id)
    return { id: params.id }
  }),
]
