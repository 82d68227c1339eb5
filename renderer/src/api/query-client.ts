import { MutationCache, QueryClient } from '@tanstack/react-query'
import { isPassing } from './client.ts'

declare module '@tanstack/react-query' {
  interface Register {
    /** `quiet`: the caller shows the failure itself. `title`: what failed, in words. */
    mutationMeta: { quiet?: boolean; title?: string }
  }
}

/**
 * Data never becomes stale by time: messages on the socket report changes. Nothing is refetched on focus or by a timer.
 * `networkMode: always`, because the server is on this machine: the browser's idea of "offline" says nothing about it.
 */
export function createQueryClient(onMutationError: (title: string | undefined, error: unknown) => void): QueryClient {
  return new QueryClient({
    mutationCache: new MutationCache({
      onError: (error, _variables, _result, mutation) => {
        if (!mutation.meta?.quiet) onMutationError(mutation.meta?.title, error)
      },
    }),
    defaultOptions: {
      queries: {
        staleTime: Infinity,
        gcTime: 10 * 60_000,
        networkMode: 'always',
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        retry: (failures, error) => failures < 2 && isPassing(error),
        retryDelay: (failures) => 300 * 2 ** failures,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
}
