import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { StepRule } from '#contracts/settings/router.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'

const key = ['savings'] as const
const rulesKey = ['step-rules'] as const

export const useSavings = () =>
  useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => api.getSavings({ query: { limit: 20, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
  })

/** What recent sessions would have cost with these rules. */
export const useRulesPrice = (rules: readonly StepRule[]) =>
  useQuery({
    queryKey: [...rulesKey, rules],
    queryFn: ({ signal }) => api.priceStepRules({ body: { rules: [...rules] }, signal }),
    placeholderData: (previous) => previous,
  })

/** Not with each step of a live session: the whole archive is read each time. */
export const savingsMessages = ({ refetch }: Cache) => {
  const again = () => {
    refetch(key)
    refetch(rulesKey)
  }
  return {
    'settings:changed': again,
    'evaluation:complete': again,
    'model:changed': again,
    'model:removed': again,
    'trace:added': again,
  } satisfies Partial<Handlers>
}
