import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { startEnvironment } from '#contracts/routes/environments.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

export const environmentKeys = { all: ['environments'] as const }

export const useEnvironments = () => useQuery({ queryKey: environmentKeys.all, queryFn: ({ signal }) => api.listEnvironments({ signal }) })

export function useEnvironmentActions() {
  const queries = useQueryClient()
  const onSettled = () => queries.invalidateQueries({ queryKey: environmentKeys.all })
  return {
    start: useMutation({
      mutationFn: (body: z.input<typeof startEnvironment.body>) => api.startEnvironment({ body }),
      onSettled,
      meta: { title: "Couldn't start the server" },
    }),
    stop: useMutation({
      mutationFn: (id: string) => api.stopEnvironment({ params: { id } }),
      onSettled,
      meta: { title: "Couldn't stop the server" },
    }),
  }
}

export const environmentMessages = ({ refetchSoon, afterBreak }: Cache) =>
  ({
    'environment:sessions': refetchSoon(environmentKeys.all),
    hello: () => afterBreak(environmentKeys.all),
  }) satisfies Partial<Handlers>
