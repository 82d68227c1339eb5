import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/augment.ts'
import type { Budget } from '#contracts/entities/augment.ts'
import type { AugmentService } from './service.ts'

export const augmentRoutes = (service: AugmentService): Implementation[] => [
  implement(routes.estimateSynthetic, ({ body }) => service.estimate(body)),
  implement(routes.generateSynthetic, ({ body: { budgetUsd, budgetTokens, ...plan } }) =>
    service.start(plan, toBudget(budgetUsd, budgetTokens)),
  ),
  implement(routes.listSyntheticRuns, ({ query }) => service.list(query.cursor, query.limit)),
  implement(routes.resumeSynthetic, ({ params, body: { budgetUsd, budgetTokens } }) =>
    service.resume(params.id, budgetUsd === undefined && budgetTokens === undefined ? undefined : toBudget(budgetUsd, budgetTokens)),
  ),
  implement(routes.getFactoryJob, ({ params }) => service.job(params.id)),
]

const toBudget = (usd: number | undefined, tokens: number | undefined): Budget => ({
  ...(usd !== undefined && { usd }),
  ...(tokens !== undefined && { tokens }),
})
