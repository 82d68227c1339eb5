import { useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ShadowVerdict } from '#contracts/entities/routing.ts'
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

export const useRouteDecisions = () =>
  useQuery({ queryKey: [...key, 'decisions'], queryFn: ({ signal }) => api.listRouteDecisions({ query: { limit: 20 }, signal }) })

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

export const routingMessages = ({ refetch, refetchSoon }: Cache) => {
  const again = () => refetch(key)
  return {
    'settings:changed': again,
    'evaluation:complete': again,
    'answers:progress': refetchSoon(key), // a model may judge answers in the shadow
    'model:changed': again,
    'model:removed': again,
    'router:decision': refetchSoon(key),
    'router:alarm': ({ reason }) => {
      toast.notice(reason)
      return again()
    },
    'router:step': refetchSoon(key),
  } satisfies Partial<Handlers>
}
