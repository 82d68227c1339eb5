import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

/** Endpoints of external models. */
export const providerKeys = { all: ['providers'] as const }

export const useProviders = () => useQuery({ queryKey: providerKeys.all, queryFn: ({ signal }) => api.listProviders({ signal }) })

export const providerMessages = ({ refetch }: Cache) =>
  ({ 'settings:changed': () => refetch(providerKeys.all) }) satisfies Partial<Handlers>
