import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from './client.ts'
import { onJobEnd } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'

/** Base models on this machine, or on a hub. */
export const baseModelKeys = {
  all: ['training', 'base-models'] as const,
  downloads: ['training', 'base-model-downloads'] as const,
  hub: ['training', 'hub'] as const,
}

/** Kind of the jobs that download them; their subject is the id. */
export const DOWNLOADS = 'base-model-download'

/** Base models on this machine, and those to begin with. */
export const useBaseModels = () =>
  useQuery({ queryKey: baseModelKeys.all, queryFn: ({ signal }) => api.listBaseModels({ query: {}, signal }) })
/** Downloads that are not complete. */
export const useBaseModelDownloads = () =>
  useQuery({ queryKey: baseModelKeys.downloads, queryFn: ({ signal }) => api.listBaseModelDownloads({ signal }), staleTime: 0 })
export const useHub = () => useQuery({ queryKey: baseModelKeys.hub, queryFn: ({ signal }) => api.getHub({ signal }) })

export function useDiscardDownload() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (id: string) => api.discardBaseModelDownload({ body: { id } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: baseModelKeys.downloads }),
    meta: { title: 'The download was not discarded' },
  })
}

export const baseModelMessages = ({ refetch, refetchSoon }: Cache) => {
  const refetchDownloads = refetchSoon(baseModelKeys.downloads)
  return {
    ...onJobEnd(DOWNLOADS, () => refetch(baseModelKeys.all, baseModelKeys.downloads)),
    'job:progress': ({ kind }) => {
      if (kind === DOWNLOADS) refetchDownloads()
    },
    'settings:changed': () => refetch(baseModelKeys.all, baseModelKeys.downloads, baseModelKeys.hub),
  } satisfies Partial<Handlers>
}
