import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSettled } from '#renderer/ui/use-settled.ts'

interface PlanSource<Request, Plan> {
  key: (asked: Request | null) => readonly unknown[]
  ask: (asked: Request, signal: AbortSignal) => Promise<Plan>
}

export interface Planned<Plan> {
  /** The newest plan, perhaps of an earlier form; null: there is none. */
  plan: Plan | null
  error: Error | null
  isOld: boolean
  refetch: () => unknown
}

/** The plan of a form, requested shortly after each change. The earlier plan stays in view until the new one arrives. */
export function usePlan<Request extends object, Plan>(request: Request | null, { key, ask }: PlanSource<Request, Plan>): Planned<Plan> {
  const now = request === null ? null : JSON.stringify(request)
  const text = useSettled(now)
  const asked = text === null ? null : (JSON.parse(text) as Request) // written above
  const query = useQuery({
    queryKey: key(asked),
    queryFn: ({ signal }) => ask(asked!, signal),
    enabled: asked !== null,
    placeholderData: keepPreviousData,
    // repositories, memory and disk may change at any time, so no plan is reused
    staleTime: 0,
    gcTime: 0,
  })
  return {
    plan: asked === null ? null : (query.data ?? null),
    error: asked === null ? null : query.error,
    isOld: query.isPlaceholderData || query.isFetching || text !== now,
    refetch: query.refetch,
  }
}

/** The same request started twice gives one run; a changed request gives another. */
export function useIdempotencyKey(request: object | null): string {
  const text = JSON.stringify(request)
  // oxlint-disable-next-line react-hooks/exhaustive-deps -- a new key for each request
  return useMemo(() => crypto.randomUUID(), [text])
}
