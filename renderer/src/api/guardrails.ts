import { keepPreviousData, useInfiniteQuery, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { GuardrailEvent, TextDirection } from '#contracts/entities/guardrail.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

const all = ['guardrails'] as const
/** Commands and texts that were warned about or blocked. */
export const guardrailKeys = {
  events: [...all, 'events'] as const,
  rules: [...all, 'rules'] as const,
  overview: [...all, 'overview'] as const,
  client: [...all, 'client'] as const,
  taint: (traceId: string) => [...all, 'taint', traceId] as const,
  check: (input: CheckInput) => [...all, 'check', input] as const,
}

export type EventFilter = Partial<Pick<GuardrailEvent, 'verdict' | 'type' | 'source' | 'action' | 'rule'>>
export type CheckInput = { command: string; profile: 'native' | 'sandbox' } | { text: string; direction: TextDirection }

const PAGE = 50

export const useGuardRules = () =>
  useQuery({ queryKey: guardrailKeys.rules, queryFn: ({ signal }) => api.listGuardrailRules({ signal }), staleTime: Infinity })

export const useGuardOverview = () => useQuery({ queryKey: guardrailKeys.overview, queryFn: ({ signal }) => api.getGuardrails({ signal }) })

/** The guard over Claude Code's own commands. */
export const useClientGuard = () => useQuery({ queryKey: guardrailKeys.client, queryFn: ({ signal }) => api.getClientGuard({ signal }) })

export function useProveGuard() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.proveClientGuard({ body: {} }),
    onSuccess: (report) => queries.setQueryData(guardrailKeys.client, report),
    meta: { title: "Couldn't test the guard" },
  })
}

export const useGuardEvents = (filter: EventFilter) =>
  useInfiniteQuery({
    queryKey: [...guardrailKeys.events, filter],
    queryFn: ({ pageParam, signal }) =>
      api.listGuardrailEvents({ query: { ...filter, limit: PAGE, ...(pageParam !== '' && { cursor: pageParam }) }, signal }),
    initialPageParam: '',
    getNextPageParam: ({ nextCursor }) => nextCursor ?? undefined,
    placeholderData: keepPreviousData,
  })

/** The commands of a session whose words came from results of tools; the newest 100. */
export const useTaint = (traceId: string) =>
  useQuery({
    queryKey: guardrailKeys.taint(traceId),
    queryFn: ({ signal }) => api.listGuardrailTaint({ query: { traceId, limit: 100 }, signal }),
  })

/** Every event of a filter, for a file. */
export async function loadGuardEvents(filter: EventFilter): Promise<GuardrailEvent[]> {
  const items: GuardrailEvent[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const page = await api.listGuardrailEvents({ query: { ...filter, limit: 100, ...(cursor !== '' && { cursor }) } })
    items.push(...page.items)
    cursor = page.nextCursor
  }
  return items
}

/** Checks what is typed; nothing is stored. */
export const useGuardCheck = (input: CheckInput) => {
  const text = 'command' in input ? input.command : input.text
  return useQuery({
    queryKey: guardrailKeys.check(input),
    queryFn: ({ signal }) => api.checkGuardrails({ body: input, signal }),
    enabled: text.trim() !== '',
    placeholderData: (previous) => previous,
    gcTime: 0,
  })
}

export function useReviewEvent() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ id, wasRight }: { id: string; wasRight: boolean | null }) =>
      api.reviewGuardrailEvent({ params: { id }, body: { wasRight } }),
    onSuccess: () => queries.invalidateQueries({ queryKey: all }),
    meta: { title: "Couldn't save your answer" },
  })
}

export function useStartSweep() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.startGuardrailSweep({ body: {} }),
    onSuccess: () => queries.invalidateQueries({ queryKey: guardrailKeys.overview }),
    meta: { title: "Couldn't start the check of sessions" },
  })
}

export const guardrailMessages = ({ refetch, refetchSoon }: Cache) => {
  const soon = refetchSoon(all)
  const sessionsSoon = refetchSoon(guardrailKeys.overview)
  return {
    'guardrail:blocked': soon,
    'guardrail:warn': soon,
    'guardrail:pii_redacted': soon,
    'guardrail:swept': soon,
    'trace:added': sessionsSoon,
    'trace:updated': sessionsSoon,
    'trace:batch': sessionsSoon,
    'settings:changed': () => refetch(all),
    'job:complete': ({ job }) => {
      if (job.kind === 'guardrail-sweep') refetch(all)
    },
  } satisfies Partial<Handlers>
}
