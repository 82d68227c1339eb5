import { useQuery } from '@tanstack/react-query'
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

export const routingMessages = ({ refetch, refetchSoon }: Cache) => {
  const again = () => refetch(key)
  return {
    'settings:changed': again,
    'evaluation:complete': again,
    'model:changed': again,
    'model:removed': again,
    'router:decision': refetchSoon(key),
    'router:step': refetchSoon(key),
  } satisfies Partial<Handlers>
}
