import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { confirmed } from '#renderer/api/confirmation.ts'
import { useSettled } from '#renderer/ui/use-settled.ts'

interface Asking<Request, Plan> {
  key: (asked: Request | null) => readonly unknown[]
  ask: (asked: Request, signal: AbortSignal) => Promise<Plan>
}

/** The plan of a form: asked for a moment after each change; until it is there the one before stays in view, marked. */
export function usePlan<Request extends object, Plan>(request: Request | null, { key, ask }: Asking<Request, Plan>) {
  const now = request === null ? null : JSON.stringify(request)
  const text = useSettled(now)
  const asked = text === null ? null : (JSON.parse(text) as Request) // written above
  const query = useQuery({
    queryKey: key(asked),
    queryFn: ({ signal }) => confirmed(() => ask(asked!, signal)),
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
