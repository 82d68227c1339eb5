import type { QueryClient, QueryKey } from '@tanstack/react-query'

interface Answered<Answer, Given> {
  /** What the act changes, as it is shown. */
  key: (given: Given) => QueryKey
  /** Lists that show it too. */
  lists?: QueryKey
  take: (answer: Answer) => void
}

/**
 * What an act answers may come after the messages of what happened since, and is older then: it is taken only if nothing
 * has arrived since the act began. Everything is requested again in either case, so the final state is the server's.
 */
export function answered<Answer, Given>(queries: QueryClient, { key, lists, take }: Answered<Answer, Given>) {
  return {
    onMutate: (given: Given) => ({ before: queries.getQueryData(key(given)) }),
    onSuccess: (answer: Answer, given: Given, { before }: { before: unknown }) => {
      if (queries.getQueryData(key(given)) === before) take(answer)
      void queries.invalidateQueries({ queryKey: key(given), exact: true })
      if (lists) void queries.invalidateQueries({ queryKey: lists })
    },
  }
}

/** Options of a mutation that starts something: its row is in the cache before its page opens. The caller shows a failure. */
export const starting = <Row extends { id: string }>(
  queries: QueryClient,
  keys: { one: (id: string) => QueryKey; lists: QueryKey },
  onStarted: (row: Row) => void,
) => ({
  onSuccess: (row: Row) => {
    queries.setQueryData(keys.one(row.id), row)
    // messages that came before this answer found no row to change
    void queries.invalidateQueries({ queryKey: keys.one(row.id), exact: true, refetchType: 'all' })
    void queries.invalidateQueries({ queryKey: keys.lists })
    onStarted(row)
  },
  meta: { quiet: true },
})
