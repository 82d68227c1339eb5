import { implement, type Implementation } from '#contracts/derive/route.ts'
import * as routes from '#contracts/routes/rollouts.ts'
import { exportSet } from './export/export.ts'
import type { Rollouts } from './service.ts'
import type { statsOf } from './stats.ts'

export const rolloutRoutes = (
  rollouts: Rollouts,
  { stats, version }: { stats: ReturnType<typeof statsOf>; version: string },
): Implementation[] => [
  implement(routes.createRollouts, ({ body }) => rollouts.create(body)),
  implement(routes.planRollouts, ({ body }) => rollouts.plan(body)),
  implement(routes.listRollouts, ({ query }) => rollouts.list(query)),
  implement(routes.getRollouts, ({ params, query, signal }) => rollouts.get(params.id, { ...query, signal })),
  implement(routes.getRolloutStats, ({ params }) => stats(rollouts.store.require(params.id))),
  implement(routes.listRolloutGroups, ({ params, query }) => rollouts.groups(params.id, query.cursor, query.limit)),
  implement(routes.listEpisodes, ({ params, query }) => rollouts.episodes(params.id, query)),
  implement(routes.getEpisode, ({ params, query }) => rollouts.episode(params.id, params.episodeId, query)),
  implement(routes.cancelRollouts, ({ params }) => rollouts.cancel(params.id)),
  implement(routes.resumeRollouts, ({ params }) => rollouts.resume(params.id)),
  implement(routes.rescoreRollouts, ({ params, body }) => rollouts.rescore(params.id, body.policy)),
  implement(routes.exportRollouts, ({ params, query }) => exportSet({ ...rollouts, version }, rollouts.store.require(params.id), query)),
  implement(routes.removeRollouts, ({ params }) => rollouts.remove(params.id)),
]
