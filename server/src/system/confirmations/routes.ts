import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/sign-in.ts'
import type { Confirmations } from './confirmations.ts'

export const confirmationRoutes = (confirmations: Confirmations): Implementation[] => [
  implement(routes.getConfirmation, ({ params }) => confirmations.get(params.id)),
  implement(routes.confirmChange, ({ params }) => confirmations.confirm(params.id)),
]
