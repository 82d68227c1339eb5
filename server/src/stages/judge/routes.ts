import { implement, type Implementation } from '#contracts/derive/route.ts'
import type { StatisticsFunction, StatisticsResult } from '#contracts/entities/statistics.ts'
import * as routes from '#contracts/routes/statistics.ts'
import type { Core } from '#server/core.ts'

const STATISTICS_JOB = new URL('./statistics.job.ts', import.meta.url)

export const statisticsRoutes = ({ workers }: Pick<Core, 'workers'>): Implementation[] =>
  Object.values(routes).map((route) =>
    implement(route, ({ body, signal }: { body: unknown; signal: AbortSignal }) => {
      const name = route.path.slice(route.path.lastIndexOf('/') + 1) as StatisticsFunction
      return workers.run<StatisticsResult>(STATISTICS_JOB, [name, body], { lane: 'query', signal })
    }),
  )
