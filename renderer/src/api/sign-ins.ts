import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { notCached, type Cache, type Handlers } from './messages.ts'

export const signInKeys = { all: ['sign-ins'] as const }

export const useSignIns = () => useQuery({ queryKey: signInKeys.all, queryFn: ({ signal }) => api.listSignIns({ signal }) })

export const signInMessages = ({ refetch }: Cache) =>
  ({
    'sign-ins:changed': () => refetch(signInKeys.all),
    'confirmation:confirmed': notCached,
  }) satisfies Partial<Handlers>
