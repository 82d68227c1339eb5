import { keepPreviousData, useMutation, useQuery, useQueryClient, type QueryClient } from '@tanstack/react-query'
import type { z } from 'zod'
import type { Trace, TraceDetail } from '#contracts/entities/trace.ts'
import type { Payload } from '#contracts/messages.ts'
import type { TraceFilter, TraceSort } from '#contracts/routes/traces.ts'
import { addArrivals, clearArrivals, dropArrival } from './arrivals.ts'
import { api } from './client.ts'
import type { Cache, Handlers } from './messages.ts'
import { pagesOf, withoutRow, withRow, type Pages } from './rows.ts'

/** The query of a list of traces. A missing part and undefined give the same key. */
export interface TraceListQuery extends Partial<Omit<TraceFilter, 'tier' | 'agent' | 'verification'>> {
  tier?: string[] | undefined
  agent?: string[] | undefined
  verification?: string[] | undefined
  sort?: z.infer<typeof TraceSort>
}

export const traceKeys = {
  all: ['traces'] as const,
  lists: ['traces', 'list'] as const,
  /** Infinite query: pages of `GET /api/traces`. */
  list: (query: TraceListQuery) => ['traces', 'list', query] as const,
  facets: ['traces', 'facets'] as const,
  facetsOf: (query: TraceListQuery) => ['traces', 'facets', query] as const,
  hitLines: (q: string, ids: readonly string[]) => ['traces', 'hit-lines', q, ids] as const,
  place: (id: string, query: TraceListQuery) => ['traces', 'place', id, query] as const,
  /** A few rows for the palette. */
  search: (q: string) => ['traces', 'search', q] as const,
  searches: ['traces', 'search'] as const,
  one: (id: string) => ['traces', 'detail', id] as const,
  details: ['traces', 'detail'] as const,
  /** Everything beneath one session: pages of steps and transcript, timeline, decisions. */
  parts: (id: string) => ['traces', 'parts', id] as const,
  steps: (id: string) => ['traces', 'parts', id, 'steps'] as const,
  step: (id: string, stepId: string) => ['traces', 'parts', id, 'step', stepId] as const,
  transcript: (id: string) => ['traces', 'parts', id, 'transcript'] as const,
  timeline: (id: string) => ['traces', 'parts', id, 'timeline'] as const,
  decisions: (id: string) => ['traces', 'parts', id, 'decisions'] as const,
  checks: (id: string) => ['traces', 'parts', id, 'checks'] as const,
  segments: (id: string) => ['traces', 'parts', id, 'segments'] as const,
  /** Saved filters. */
  views: ['views'] as const,
}

/** A few traces for the palette: the newest, or what matches. */
export const useTraceSearch = (q: string) =>
  useQuery({
    queryKey: traceKeys.search(q),
    queryFn: ({ signal }) => api.listTraces({ query: { limit: 8, ...(q ? { q } : {}) }, signal }),
    placeholderData: (previous) => previous,
  })

/** One session, without its segments. */
export const useTrace = (id: string, enabled = true) =>
  useQuery({
    queryKey: traceKeys.one(id),
    queryFn: ({ signal }) => api.getTrace({ params: { id }, query: { segments: 'false' }, signal }),
    enabled,
  })

export const useViews = () => useQuery({ queryKey: traceKeys.views, queryFn: ({ signal }) => api.listViews({ signal }) })

/** Counts of the sessions that a filter matches. The previous counts stay until the new ones arrive. */
export const useTraceFacets = (q: string, enabled = true) =>
  useQuery({
    queryKey: traceKeys.facetsOf(q === '' ? {} : { q }),
    queryFn: ({ signal }) => api.getTraceFacets({ query: q === '' ? {} : { q }, signal }),
    enabled,
    placeholderData: keepPreviousData,
  })

/** Sessions of a filter that are gold although no verification passed: how many, and the filter for them; null if there are none. */
export function useUnverified(filter = ''): { count: number; q: string } | null {
  const q = `${filter} is:unverified`.trim()
  const facets = useQuery({ queryKey: traceKeys.facetsOf({ q }), queryFn: ({ signal }) => api.getTraceFacets({ query: { q }, signal }) })
  return facets.data?.total ? { count: facets.data.total, q } : null
}

const SAMPLES = { q: 'is:sample', limit: 1 }

/** How many sample sessions there are; undefined until that is known. */
export const useSampleCount = (): number | undefined =>
  useQuery({ queryKey: traceKeys.list(SAMPLES), queryFn: ({ signal }) => api.listTraces({ query: SAMPLES, signal }) }).data?.total

export function useRemoveSamples() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: () => api.removeSamples({}),
    onSuccess: () => queries.invalidateQueries({ queryKey: traceKeys.all }),
    meta: { title: "Couldn't remove the sample sessions" },
  })
}

/** A trace from the cache: opened, or a row of a list. */
export function cachedTrace(queries: QueryClient, id: string): Trace | undefined {
  const opened = queries.getQueryData<TraceDetail>(traceKeys.one(id))
  if (opened) return opened
  const lists = [traceKeys.lists, traceKeys.searches].flatMap((queryKey) => queries.getQueriesData<Pages<Trace>>({ queryKey }))
  return lists.flatMap(([, data]) => (data ? pagesOf(data).flatMap(({ items }) => items) : [])).find((trace) => trace.id === id)
}

/** Updates a trace in every list, and its detail if loaded. */
export function patchTrace(queries: QueryClient, trace: Trace): void {
  for (const queryKey of [traceKeys.lists, traceKeys.searches]) {
    queries.setQueriesData<Pages<Trace>>({ queryKey }, (data) => withRow(data, trace))
  }
  queries.setQueryData<TraceDetail>(traceKeys.one(trace.id), (detail) => (detail ? { ...detail, ...trace } : detail))
}

export function dropTrace(queries: QueryClient, id: string): void {
  for (const queryKey of [traceKeys.lists, traceKeys.searches]) {
    queries.setQueriesData<Pages<Trace>>({ queryKey }, (data) => withoutRow(data, id))
  }
  queries.removeQueries({ queryKey: traceKeys.one(id) })
  queries.removeQueries({ queryKey: traceKeys.parts(id) })
}

/** Handlers for anything counted over sessions: every message that may change one or more rows. */
export const onTracesChanged = (react: () => void) =>
  ({
    'trace:added': react,
    'trace:updated': react,
    'trace:removed': react,
    'trace:batch': react,
    'trace:promoted': react,
    'trace:demoted': react,
    'job:complete': react,
    'job:failed': react,
  }) satisfies Partial<Handlers>

export const traceFacetMessages = ({ refetchSoon }: Cache) => onTracesChanged(refetchSoon(traceKeys.facets))

export const traceMessages = ({ queries, refetch, refetchSoon, refetchInFlight }: Cache) => {
  const searches = refetchSoon(traceKeys.searches)
  const updateTrace = (trace: Trace) => {
    refetchInFlight(traceKeys.lists, traceKeys.searches, traceKeys.one(trace.id))
    patchTrace(queries, trace)
  }
  const onDecision = ({ trace }: Payload<'trace:promoted'>) => {
    updateTrace(trace)
    refetch(traceKeys.decisions(trace.id))
  }
  // a rebuild, a rescore or an import may have changed any row
  const onJobEnd = () => refetch(traceKeys.lists, traceKeys.details)
  return {
    'trace:added': ({ trace }) => {
      addArrivals([trace.id])
      searches()
    },
    'trace:updated': ({ id, trace, fromSeq }) => {
      updateTrace(trace)
      // Score, turns, files and sub-agents are only in the detail.
      refetch(traceKeys.one(id))
      if (fromSeq !== null) refetch(traceKeys.parts(id))
    },
    'trace:removed': ({ id }) => {
      refetchInFlight(traceKeys.lists, traceKeys.searches)
      dropTrace(queries, id)
      dropArrival(id)
    },
    'trace:batch': ({ added, updated }) => {
      addArrivals(added)
      refetch(...updated.map(traceKeys.one))
      if (updated.length > 0) refetch(traceKeys.lists)
      searches()
    },
    'trace:promoted': onDecision,
    'trace:demoted': onDecision,
    'segments:changed': ({ traceId }) => refetch(traceKeys.one(traceId), traceKeys.segments(traceId)),
    'job:complete': onJobEnd,
    'job:failed': onJobEnd,
    reset: clearArrivals,
  } satisfies Partial<Handlers>
}

/** Folders of the newest sessions, as suggestions for a folder field. */
export function useProjectFolders(): readonly string[] {
  const { data } = useQuery({
    queryKey: [...traceKeys.all, 'folders'],
    queryFn: ({ signal }) => api.listTraces({ query: { limit: 100 }, signal }),
    staleTime: 60_000,
  })
  return [...new Set(data?.items.flatMap(({ cwd }) => cwd ?? []))]
}
