import type { QueryClient, QueryKey } from '@tanstack/react-query'

interface Answered<Answer, Given> {
  /** What the act changes, as it is shown. */
  key: (given: Given) => QueryKey
  /** Lists that show it too. */
  lists?: QueryKey
  take: (answer: Answer) => void
}

/**
 * What an act answers may come after the messages of what happened since, and is older then: it is taken only where nothing
 * has been heard since the act began. All is asked for in either case, so that what is shown in the end is how it is.
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
