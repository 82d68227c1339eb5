import { useQuery } from '@tanstack/react-query'
import { api } from './client.ts'
import { useJobCall } from './jobs.ts'
import type { Cache, Handlers } from './messages.ts'

export const privacyKeys = {
  all: ['privacy'] as const,
  status: ['privacy', 'status'] as const,
  findings: (query: object) => ['privacy', 'findings', query] as const,
  values: (query: object) => ['privacy', 'values', query] as const,
  facets: (query: object) => ['privacy', 'facets', query] as const,
  decisions: ['privacy', 'decisions'] as const,
  budget: ['privacy', 'budget'] as const,
  below: (threshold: number) => ['privacy', 'below', threshold] as const,
  preview: (asked: unknown) => ['privacy', 'preview', asked] as const,
  line: (id: string) => ['privacy', 'line', id] as const,
  /** Not under `all`: a text on screen is not refetched when findings change. */
  context: (id: string) => ['privacy-context', id] as const,
}

export const usePrivacy = () => useQuery({ queryKey: privacyKeys.status, queryFn: ({ signal }) => api.getPrivacy({ signal }) })

/** Scans what is new in the archive, or everything again. */
export const usePrivacyScan = () => useJobCall((all: boolean) => api.startPrivacyScan({ body: { all } }), "Couldn't start the scan")

export const privacyMessages = ({ refetch }: Cache) => ({ 'privacy:changed': () => refetch(privacyKeys.all) }) satisfies Partial<Handlers>
