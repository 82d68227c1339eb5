import { type InfiniteData, useInfiniteQuery, useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import type { TimelineRow, TranscriptItem } from '#contracts/entities/step.ts'
import { api } from '#renderer/api/client.ts'
import { traceKeys, useTraceFacets } from '#renderer/api/traces.ts'
import { onMessage } from '#renderer/api/socket.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'
import { mergeRows, PAGE_ROWS } from './open/rows.ts'
import { filterOf, type TracesUrl } from './url-state.ts'

type Filter = Pick<TracesUrl, 'q'>

/** Rows per page of the list; the first two pages fill a screen of 900 px. */
const LIST_PAGE = 100

export type ListPages = InfiniteData<Awaited<ReturnType<typeof api.listTraces>>>

export function useTraceList(state: Filter & Pick<TracesUrl, 'sort'>) {
  const filter = filterOf(state)
  const { sort } = state
  return useInfiniteQuery({
    queryKey: traceKeys.list({ ...filter, sort }),
    queryFn: ({ pageParam, signal }) => api.listTraces({ query: { ...filter, sort, limit: LIST_PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    // while a filter is typed, the previous rows stay (dimmed) instead of flashing a skeleton
    placeholderData: (previous) => previous,
  })
}

/** Position of the open session in the list; null if it is not listed or the position is unknown. */
export function useTracePlace(url: TracesUrl, enabled: boolean) {
  const [id, query] = [url.id ?? '', { ...filterOf(url), sort: url.sort }]
  return useQuery({
    queryKey: traceKeys.place(id, query),
    queryFn: ({ signal }) =>
      api.getTracePlace({ params: { id }, query, signal }).then(
        ({ place }) => place,
        () => null,
      ),
    enabled,
  })
}

export const useFacets = (state: Filter, enabled = true) => useTraceFacets(filterOf(state).q ?? '', enabled)

export const NO_FILTER: Filter = { q: '' }

type Timeline = Omit<Awaited<ReturnType<typeof api.getTimeline>>, 'nextCursor'>

/** Rows of a session, all or those since a revision. The first page has the revision; later changes are newer. */
export async function readTimeline(id: string, since: number | undefined, signal: AbortSignal): Promise<Timeline> {
  const readPage = (cursor: string) => api.getTimeline({ params: { id }, query: { since, cursor }, signal })
  let part = await readPage('')
  const { rev, rows } = part
  while (part.nextCursor !== null) {
    part = await readPage(part.nextCursor)
    for (const row of part.rows) rows.push(row)
  }
  return { rev, total: part.total, rows }
}

/** Every row of a session; a session that grows sends only what is new or different. */
export function useTimeline(id: string, enabled: boolean) {
  const queries = useQueryClient()
  return useQuery({
    queryKey: traceKeys.timeline(id),
    queryFn: async ({ signal }): Promise<Timeline> => {
      const cached = queries.getQueryData<Timeline>(traceKeys.timeline(id))
      if (cached) {
        const change = await readTimeline(id, cached.rev, signal)
        const rows = mergeRows(cached.rows, change.rows)
        if (rows.length === change.total) return { ...change, rows }
      }
      return readTimeline(id, undefined, signal)
    },
    enabled,
    // comparing tens of thousands of rows with themselves costs more than drawing the few in view again
    structuralSharing: false,
  })
}

export const useDecisions = (id: string, enabled: boolean) =>
  useQuery({ queryKey: traceKeys.decisions(id), queryFn: ({ signal }) => api.listDecisions({ params: { id }, signal }), enabled })

/** One call in full, loaded on request: pages contain only the first part of a long output. */
export const useWholeStep = (id: string, stepId: string, enabled: boolean) =>
  useQuery({ queryKey: traceKeys.step(id, stepId), queryFn: ({ signal }) => api.getStep({ params: { id, stepId }, signal }), enabled })

/**
 * The first rows of a session, read in parallel with its timeline, so that a long session is shown before all of its
 * steps are listed. They are stored as the transcript's first page, so nothing is read twice.
 */
export function useFirstRows(id: string, enabled: boolean) {
  const queries = useQueryClient()
  return useQuery({
    queryKey: [...traceKeys.transcript(id), 'first'],
    queryFn: async ({ signal }) => {
      const page = await api.listTranscript({ params: { id }, query: { limit: PAGE_ROWS }, signal })
      const rows = page.items.map(rowOf)
      queries.setQueryData(transcriptPage(id, rows, 0).queryKey, page)
      return rows
    },
    enabled,
  })
}

/** An item as the timeline lists it. */
export function rowOf(item: TranscriptItem): TimelineRow {
  const { id, position } = item
  if (item.kind !== 'step') {
    const { kind, agent, at, label, abandoned } = item
    return { id, position, kind, agent, tool: null, at, durationMs: null, success: null, label, abandoned }
  }
  const { agent, tool, at, durationMs, success, command, file, abandoned } = item.step
  return { id, position, kind: 'step', agent, tool, at, durationMs, success, label: command ?? file, abandoned }
}

/** The query of one page of bodies: the rows between two fixed indices of the timeline. */
export function transcriptPage(id: string, rows: readonly TimelineRow[], page: number) {
  const first = rows[page * PAGE_ROWS]
  const count = Math.min(PAGE_ROWS, rows.length - page * PAGE_ROWS)
  return {
    // the key has the first position and the number of rows, so growth inside or before the page reloads it
    queryKey: [...traceKeys.transcript(id), first?.position ?? '', count] as const,
    queryFn: ({ signal }: { signal: AbortSignal }) =>
      api.listTranscript({ params: { id }, query: { at: first?.position ?? '', limit: Math.max(count, 1) }, signal }),
    enabled: first !== undefined,
  }
}

export interface Bodies {
  get: (rowId: string) => TranscriptItem | undefined
  error: Error | null
  retry: () => void
}

/** Bodies of the pages in view, by row id. */
export function useBodies(id: string, rows: readonly TimelineRow[], pages: readonly number[]): Bodies {
  return useQueries({
    queries: pages.map((page) => ({ ...transcriptPage(id, rows, page), placeholderData: undefined })),
    combine: (results) => {
      const items = new Map(results.flatMap((result) => result.data?.items ?? []).map((item) => [item.id, item]))
      return {
        get: (rowId: string) => items.get(rowId),
        error: results.find((result) => result.error)?.error ?? null,
        retry: () => results.forEach((result) => void (result.error && result.refetch())),
      }
    },
  })
}

/** New rows without a call (a prompt, an answer) are announced without step numbers, so the open trace reads its timeline again. */
export function useGrowth(id: string): void {
  const queries = useQueryClient()
  useEffect(
    () =>
      onMessage('trace:updated', (update) => {
        if (update.id === id && update.fromSeq === null) void queries.invalidateQueries({ queryKey: traceKeys.parts(id) })
      }),
    [id, queries],
  )
}
