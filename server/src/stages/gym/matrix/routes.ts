import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/training-matrix.ts'
import type { MatrixService } from './service.ts'

export const matrixRoutes = (matrix: MatrixService): Implementation[] => [
  implement(routes.planMatrix, ({ body, signal }) => matrix.plan(body, signal)),
  implement(routes.startMatrix, ({ body, signal }) => matrix.start(body, signal)),
  implement(routes.getMatrix, ({ params }) => matrix.get(params.id)),
  implement(routes.cancelMatrix, ({ params, body }) => matrix.cancel(params.id, body.keepCheckpoint)),
]
