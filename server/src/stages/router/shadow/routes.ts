import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/routing.ts'
import type { ShadowAnswers } from './answers.ts'

export const shadowRoutes = (answers: ShadowAnswers): Implementation[] => [
  implement(routes.listShadowAnswers, ({ query: { cursor, limit } }) => answers.list(cursor, limit)),
  implement(routes.decideShadowAnswer, ({ params, body }) => answers.decide(params.id, body.verdict)),
]
