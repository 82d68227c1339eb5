import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import { pathOf } from '#contracts/derive/client.ts'
import type { RewardPolicy, RolloutExportFormat, RolloutSet } from '#contracts/entities/rollout.ts'
import { type createRollouts, exportRollouts, type planRollouts } from '#contracts/routes/rollouts.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { answered, starting } from './answer.ts'
import { api } from './client.ts'
import { download } from './download.ts'
import type { Cache, Handlers } from './messages.ts'
import { forget, type Pages, withoutRow, withRow } from './rows.ts'

export const rolloutKeys = {
  all: ['rollouts'] as const,
  one: (id: string) => ['rollout-set', id] as const,
  stats: (id: string) => ['rollout-stats', id] as const,
  groups: (id: string) => ['rollout-groups', id] as const,
  episodes: (id: string, group: number) => ['rollout-episodes', id, group] as const,
  episode: (id: string, episode: string) => ['rollout-episode', id, episode] as const,
  plan: (request: object | null) => ['rollout-plan', request] as const,
}

/** The request as typed; absent fields take their defaults. */
export type RolloutDraft = z.input<typeof planRollouts.body>

const PAGE = 50
const TURNS = 1000
const ATTEMPTS = 100

export const useRollouts = () =>
  useInfiniteQuery({
    queryKey: rolloutKeys.all,
    queryFn: ({ pageParam, signal }) => api.listRollouts({ query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

export const useRolloutSet = (id: string) =>
  useQuery({ queryKey: rolloutKeys.one(id), queryFn: ({ signal }) => api.getRollouts({ params: { id }, query: {}, signal }) })

export const useRolloutStats = (id: string) =>
  useQuery({ queryKey: rolloutKeys.stats(id), queryFn: ({ signal }) => api.getRolloutStats({ params: { id }, signal }) })

export const useRolloutGroups = (id: string) =>
  useInfiniteQuery({
    queryKey: rolloutKeys.groups(id),
    queryFn: ({ pageParam, signal }) =>
      api.listRolloutGroups({ params: { id }, query: { limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

/** The attempts at one task that have ended. */
export const useGroupEpisodes = (id: string, group: number) =>
  useQuery({
    queryKey: rolloutKeys.episodes(id, group),
    queryFn: ({ signal }) => api.listEpisodes({ params: { id }, query: { group, limit: ATTEMPTS }, signal }),
  })

export const useEpisode = (id: string, episode: string | null) =>
  useQuery({
    queryKey: rolloutKeys.episode(id, episode ?? ''),
    queryFn: ({ signal }) => api.getEpisode({ params: { id, episodeId: episode! }, query: { limit: TURNS }, signal }),
    enabled: episode !== null,
  })

export function useStartRollouts(onStarted: (set: RolloutSet) => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (body: z.input<typeof createRollouts.body>) => api.createRollouts({ body }),
    ...starting(queries, { one: rolloutKeys.one, lists: rolloutKeys.all }, onStarted),
  })
}

/** Actions on a set. */
export function useRolloutActions(id: string) {
  const queries = useQueryClient()
  const act = answered(queries, {
    key: () => rolloutKeys.one(id),
    lists: rolloutKeys.all,
    apply: (set: RolloutSet) => queries.setQueryData(rolloutKeys.one(id), set),
  })
  return {
    cancel: useMutation({
      mutationFn: () => api.cancelRollouts({ params: { id } }),
      ...act,
      meta: { title: "Couldn't cancel the rollouts" },
    }),
    resume: useMutation({
      mutationFn: () => api.resumeRollouts({ params: { id } }),
      ...act,
      meta: { title: "Couldn't resume the rollouts" },
    }),
    rescore: useMutation({
      mutationFn: (policy: z.input<typeof RewardPolicy>) => api.rescoreRollouts({ params: { id }, body: { policy } }),
      ...act,
      meta: { quiet: true },
    }),
    remove: useMutation({ mutationFn: () => api.removeRollouts({ params: { id } }), meta: { title: "Couldn't remove the rollouts" } }),
    export: useMutation({
      mutationFn: (format: RolloutExportFormat) => download(pathOf(exportRollouts, { params: { id }, query: { format } })),
      meta: { title: "Couldn't export the rollouts" },
    }),
  }
}

export const rolloutMessages = ({ queries, refetchSoon, refetchInFlight, write, afterBreak }: Cache) => {
  const figures = refetchSoon(['rollout-stats'], ['rollout-groups'], ['rollout-episodes'], ['rollout-episode'])
  const lists = refetchSoon(rolloutKeys.all)
  const patch = (set: RolloutSet) => {
    write<RolloutSet>(rolloutKeys.one(set.id), () => set)
    queries.setQueriesData<Pages<RolloutSet>>({ queryKey: rolloutKeys.all }, (data) => withRow(data, set))
  }
  return {
    'rollouts:status': ({ set }) => {
      refetchInFlight(rolloutKeys.one(set.id))
      patch(set)
      lists()
      figures()
    },
    'rollouts:progress': ({ set }) => {
      patch(set)
      figures()
    },
    'rollouts:removed': ({ id }) => {
      refetchInFlight(rolloutKeys.all)
      queries.setQueriesData<Pages<RolloutSet>>({ queryKey: rolloutKeys.all }, (data) => withoutRow(data, id))
      forget(queries, rolloutKeys.one(id), 'rollouts_not_found')
    },
    hello: () =>
      afterBreak(rolloutKeys.all, ['rollout-set'], ['rollout-stats'], ['rollout-groups'], ['rollout-episodes'], ['rollout-episode']),
  } satisfies Partial<Handlers>
}
