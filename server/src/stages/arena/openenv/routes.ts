import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/environments.ts'
import { buildTerminalToolCall } from './tool-call.ts'

export const environmentRoutes = (): Implementation[] => [
  implement(routes.readToolCall, ({ body: { text, raw } }) => buildTerminalToolCall(text, { raw })),
]
