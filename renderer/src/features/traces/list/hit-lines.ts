import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { FoundLine } from '#contracts/found-line.ts'
import type { Trace } from '#contracts/entities/trace.ts'
import { api } from '#renderer/api/client.ts'
import { traceKeys } from '#renderer/api/traces.ts'

/** Rows per request. */
const CHUNK = 25

type Answer = Awaited<ReturnType<typeof api.getHitLines>>

/** The lines that match the filter, for the visible rows. An empty `q` means no search. */
export function useHitLines(q: string, rows: readonly Trace[], first: number, last: number): ReadonlyMap<string, FoundLine> {
  const chunks = new Map(
    (q === '' ? [] : rows.slice(first, last + 1)).map((_, offset) => {
      const from = Math.floor((first + offset) / CHUNK) * CHUNK
      return [from, rows.slice(from, from + CHUNK).map(({ id }) => id)]
    }),
  )
  return useQueries({
    queries: [...chunks.values()].map((ids) => ({
      queryKey: traceKeys.hitLines(q, ids),
      queryFn: ({ signal }: { signal: AbortSignal }) => api.getHitLines({ query: { q, ids }, signal }),
    })),
    combine: linesOf,
  })
}

const linesOf = (answers: UseQueryResult<Answer>[]): ReadonlyMap<string, FoundLine> =>
  new Map(answers.flatMap(({ data }) => data?.items.map(({ traceId, line }): [string, FoundLine] => [traceId, line]) ?? []))
