import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { MatrixRequest } from '#contracts/entities/run-matrix.ts'
import type { RunRequest } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { confirmed } from '#renderer/api/confirmation.ts'
import { runKeys } from '#renderer/api/runs.ts'
import { useSettled } from '#renderer/ui/use-settled.ts'

/** The plan of the form: asked for a moment after each change; until it is there the one before stays in view, marked. */
export function usePlan(request: RunRequest | null) {
  const text = useSettled(request === null ? null : JSON.stringify(request))
  const asked = text === null ? null : (JSON.parse(text) as RunRequest)
  const query = useQuery({
    queryKey: runKeys.plan(asked),
    queryFn: ({ signal }) => confirmed(() => api.planRun({ body: asked!, signal })),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    // what is free changes: a plan is never an old one
    staleTime: 0,
    gcTime: 0,
  })
  const isOld = query.isPlaceholderData || query.isFetching || text !== (request === null ? null : JSON.stringify(request))
  return { plan: asked === null ? null : (query.data ?? null), error: asked === null ? null : query.error, isOld, again: query.refetch }
}

/** The same for a run of every combination of some values. */
export function useMatrixPlan(request: MatrixRequest | null) {
  const now = request === null ? null : JSON.stringify(request)
  const text = useSettled(now)
  const asked = text === null ? null : (JSON.parse(text) as MatrixRequest)
  const query = useQuery({
    queryKey: runKeys.matrixPlan(asked),
    queryFn: ({ signal }) => confirmed(() => api.planMatrix({ body: asked!, signal })),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    staleTime: 0,
    gcTime: 0,
  })
  const isOld = query.isPlaceholderData || query.isFetching || text !== now
  return { plan: asked === null ? null : (query.data ?? null), error: asked === null ? null : query.error, isOld }
}
