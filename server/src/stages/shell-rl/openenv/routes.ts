import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/environments.ts'
import type { Environments } from './service.ts'
import { buildTerminalToolCall } from './tool-call.ts'

export const environmentRoutes = (environments: Environments): Implementation[] => [
  implement(routes.readToolCall, ({ body: { text, raw } }) => buildTerminalToolCall(text, { raw })),
  implement(routes.listEnvironments, () => ({ items: environments.list() })),
  implement(routes.startEnvironment, ({ body }) => environments.start(body)),
  implement(routes.keepEnvironment, ({ params, signal }) => ({
    stream: environments.keep(params.id, signal),
    fileName: `${params.id}.jsonl`,
    contentType: 'application/x-ndjson',
  })),
  implement(routes.stopEnvironment, async ({ params }) => {
    await environments.stop(params.id)
    return { id: params.id }
  }),
]
