import { useQueries } from '@tanstack/react-query'
import type { Run } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'

/** Loads each run with a separate query, so that messages update it. `placeholders` are shown until a run is loaded. */
export const useEachRun = (ids: readonly string[], placeholders: readonly Run[] = []) =>
  useQueries({
    queries: ids.map((id) => ({
      queryKey: runKeys.one(id),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getRun({ params: { id }, signal }),
      placeholderData: placeholders.find((run) => run.id === id),
    })),
  })
