import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/batches.ts'
import type { Batches } from './service.ts'

export const batchRoutes = (batches: Batches): Implementation[] => [
  implement(routes.createBatch, ({ body, signal }) => batches.create(body, signal)),
  implement(routes.planBatch, ({ body }) => batches.plan(body)),
  implement(routes.listBatches, ({ query }) => batches.list(query)),
  implement(routes.getBatch, ({ params, query, signal }) => batches.get(params.id, { ...query, signal })),
  implement(routes.getBatchReport, ({ params }) => batches.report(params.id)),
  implement(routes.downloadBatch, ({ params, query }) => batches.download(params.id, query.format)),
  implement(routes.chooseWinner, ({ params, body }) => batches.choose(params.id, body)),
  implement(routes.cancelBatch, ({ params }) => batches.cancel(params.id)),
  implement(routes.retryBatch, ({ params, body }) => batches.retry(params.id, body.maxCostUsd)),
]
