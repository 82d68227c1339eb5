import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { RouteDecisionFilter, ShadowVerdict } from '#contracts/entities/routing.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { toast } from '#renderer/ui/toast.tsx'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

const key = ['routing'] as const

export const useRouting = () => useQuery({ queryKey: [...key, 'status'], queryFn: ({ signal }) => api.getRouting({ signal }) })

/** Where a conversation with this prompt would go; asks nothing while the prompt is empty. */
export const useRouteOf = (prompt: string) =>
  useQuery({
    queryKey: [...key, 'route', prompt],
    queryFn: ({ signal }) => api.routePrompt({ body: { prompt }, signal }),
    enabled: prompt.trim() !== '',
    placeholderData: (previous) => previous,
    gcTime: 0,
  })

export const useRouteDecisions = (filter: RouteDecisionFilter) =>
  useInfiniteQuery({
    queryKey: [...key, 'decisions', filter],
    queryFn: ({ pageParam, signal }) => api.listRouteDecisions({ query: { ...filter, limit: 20, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    placeholderData: (previous) => previous,
  })

/** Says how one answer went. */
export const useReportOutcome = () =>
  useMutation({
    mutationFn: (body: { decisionId: string; successRate: number }) => api.reportRouteOutcomes({ body }),
    meta: { title: "Couldn't keep the outcome" },
  })

export const useRouteStats = () => useQuery({ queryKey: [...key, 'stats'], queryFn: ({ signal }) => api.getRouteStats({ signal }) })

/** What the student would have answered; asked for only where somebody looks. */
export const useShadowAnswers = () =>
  useInfiniteQuery({
    queryKey: [...key, 'shadow'],
    queryFn: ({ pageParam, signal }) => api.listShadowAnswers({ query: { limit: 10, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

/** What the user says of an answer in the shadow. */
export function useShadowVerdict() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, verdict }: { id: string; verdict: ShadowVerdict | null }) =>
      api.decideShadowAnswer({ params: { id }, body: { verdict } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
    meta: { title: "Couldn't store the verdict" },
  })
}

/** Lets the student work again after its share was taken back. */
export function useEndAlarm() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.endRouteAlarm({ body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: key }),
    meta: { title: "Couldn't give the share back" },
  })
}

export const routingMessages = ({ refetch, refetchSoon, write, afterBreak }: Cache) => {
  const again = () => refetch(key)
  return {
    'settings:changed': again,
    'evaluation:complete': again,
    'answers:progress': refetchSoon(key), // a model may judge answers in the shadow
    'model:changed': again,
    'model:removed': again,
    'router:decision': refetchSoon([...key, 'status'], [...key, 'decisions'], [...key, 'shadow']),
    'router:stats': ({ stats }) => write([...key, 'stats'], stats),
    hello: () => afterBreak(key),
    'router:alarm': ({ reason }) => {
      toast.notice(reason)
      return again()
    },
    'router:step': refetchSoon(key),
  } satisfies Partial<Handlers>
}
