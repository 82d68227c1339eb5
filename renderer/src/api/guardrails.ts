import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

/** Commands that were warned about or blocked. */
export const guardrailKeys = { events: ['guardrail-events'] as const, rules: ['guardrail-rules'] as const }

export const useGuardRules = () =>
  useQuery({ queryKey: guardrailKeys.rules, queryFn: ({ signal }) => api.listGuardrailRules({ signal }), staleTime: Infinity })

export const guardrailMessages = ({ refetch }: Cache) =>
  ({
    'guardrail:blocked': () => refetch(guardrailKeys.events),
    'guardrail:warn': () => refetch(guardrailKeys.events),
  }) satisfies Partial<Handlers>
