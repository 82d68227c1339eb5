import { useQueries } from '@tanstack/react-query'
import type { Run } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'

/** Each run as its own query, so that messages keep it current. `known` are shown until they are read. */
export const useEachRun = (ids: readonly string[], known: readonly Run[] = []) =>
  useQueries({
    queries: ids.map((id) => ({
      queryKey: runKeys.one(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getRun({ params: { id }, signal }),
      placeholderData: known.find((run) => run.id === id),
    })),
  })
