import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { onTracesChanged } from './traces.ts'

export const statsKeys = {
  all: ['stats'] as const,
  home: ['home'] as const,
  /** Under `all`, because new sessions bring new models. */
  prices: ['stats', 'prices'] as const,
}

export const useHome = () => useQuery({ queryKey: statsKeys.home, queryFn: ({ signal }) => api.getHome({ signal }) })
export const useStats = () => useQuery({ queryKey: statsKeys.all, queryFn: ({ signal }) => api.getStats({ signal }) })
export const usePrices = () => useQuery({ queryKey: statsKeys.prices, queryFn: ({ signal }) => api.getPrices({ signal }) })

export const statsMessages = ({ refetch, refetchSoon }: Cache) =>
  ({
    ...onTracesChanged(refetchSoon(statsKeys.home, statsKeys.all)),
    'settings:changed': () => refetch(statsKeys.prices),
  }) satisfies Partial<Handlers>
