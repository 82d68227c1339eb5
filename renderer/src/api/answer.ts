import type { QueryClient, QueryKey } from '@tanstack/react-query'

interface Answered<Answer, Given> {
  /** The query of what the action changes. */
  key: (given: Given) => QueryKey
  /** Lists that contain it. */
  lists?: QueryKey
  apply: (answer: Answer) => void
}

/**
 * Options of a mutation that changes something. Its answer may arrive after newer messages, so it is used only if the
 * cache has not changed since the call began. The queries are refetched in any case, so the final state is the server's.
 */
export function answered<Answer, Given>(queries: QueryClient, { key, lists, apply }: Answered<Answer, Given>) {
  return {
    onMutate: (given: Given) => ({ before: queries.getQueryData(key(given)) }),
    onSuccess: (answer: Answer, given: Given, { before }: { before: unknown }) => {
      if (queries.getQueryData(key(given)) === before) apply(answer)
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
