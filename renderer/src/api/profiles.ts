import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import type { z } from 'zod'
import type { AnalyticsBy } from '#contracts/entities/profile.ts'
import type { TraceSort } from '#contracts/routes/traces.ts'
import { BY_CURSOR, cursorQuery } from '#renderer/ui/lists/pages.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { onTracesChanged } from './traces.ts'

const profileKeys = {
  all: ['profiles'] as const,
  list: (of: ProfilesOf, q: string, sort: string) => ['profiles', 'list', of, q, sort] as const,
  one: (id: string) => ['profiles', 'one', id] as const,
  analytics: (by: string, q: string) => ['profiles', 'analytics', by, q] as const,
}

export type ProfilesOf = 'sessions' | 'recorded'

export const useProfiles = (of: ProfilesOf, q: string, sort: z.infer<typeof TraceSort>) =>
  useInfiniteQuery({
    queryKey: profileKeys.list(of, q, sort),
    queryFn: ({ pageParam, signal }) => api.listProfiles({ query: { of, q, sort, limit: 100, ...cursorQuery(pageParam) }, signal }),
    placeholderData: keepPreviousData,
    ...BY_CURSOR,
  })

/** A session as spans. */
export const useProfile = (id: string) =>
  useQuery({ queryKey: profileKeys.one(id), queryFn: ({ signal }) => api.getProfile({ params: { id }, signal }) })

export const useAnalytics = (by: AnalyticsBy, q: string) =>
  useQuery({
    queryKey: profileKeys.analytics(by, q),
    queryFn: ({ signal }) => api.getAnalytics({ query: { by, q }, signal }),
    placeholderData: keepPreviousData,
  })

export const profileMessages = ({ refetchSoon }: Cache) => {
  const changed = refetchSoon(profileKeys.all)
  return { ...onTracesChanged(changed), 'observability:recorded': changed } satisfies Partial<Handlers>
}
