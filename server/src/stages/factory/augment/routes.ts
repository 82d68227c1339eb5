import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/augment.ts'
import type { AugmentService } from './service.ts'

export const augmentRoutes = (service: AugmentService): Implementation[] => [
  implement(routes.estimateAugmentation, ({ body }) => service.estimate(body)),
  implement(routes.startAugmentation, ({ body: { budget, ...plan } }) => service.start(plan, budget)),
  implement(routes.listAugmentRuns, ({ query }) => service.list(query.cursor, query.limit)),
  implement(routes.resumeAugmentation, ({ params, body }) => service.resume(params.id, body.budget)),
  implement(routes.getFactoryJob, ({ params }) => service.job(params.id)),
]
