import type { Core } from '#server/core.ts'
import type { Stage } from '../stage.ts'
import { statisticsRoutes } from './routes.ts'

export { computeStatistics } from './statistics.ts'

/** Proof on held-out work whether a model got better: so far, the statistics of it. */
export function createJudge(core: Core) {
  const stage: Stage = { name: 'judge', routes: statisticsRoutes(core), forget: null } // stores nothing
  return { stage }
}
