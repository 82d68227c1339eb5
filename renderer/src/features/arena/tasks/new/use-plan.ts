import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '#renderer/api/client.ts'
import { confirmed } from '#renderer/api/confirmation.ts'
import { taskKeys, type TaskDraft } from '#renderer/api/tasks.ts'
import { useSettled } from '#renderer/ui/use-settled.ts'

/** The plan of the form: asked for a moment after each change; until it is there the one before stays in view, marked. */
export function usePlan(request: TaskDraft | null) {
  const now = request === null ? null : JSON.stringify(request)
  const text = useSettled(now)
  const asked = text === null ? null : (JSON.parse(text) as TaskDraft)
  const query = useQuery({
    queryKey: taskKeys.plan(asked),
    queryFn: ({ signal }) => confirmed(() => api.planTask({ body: asked!, signal })),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    // a repository changes at any time: a plan is never an old one
    staleTime: 0,
    gcTime: 0,
    retry: false,
  })
  return {
    plan: asked === null ? null : (query.data ?? null),
    error: asked === null ? null : query.error,
    isOld: query.isPlaceholderData || query.isFetching || text !== now,
    again: query.refetch,
  }
}
