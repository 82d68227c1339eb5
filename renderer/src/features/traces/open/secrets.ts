import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useMemo } from 'react'
import { SECRET_TYPES, type ArchiveFinding } from '#contracts/entities/privacy.ts'
import type { TranscriptItem } from '#contracts/entities/step.ts'
import { api } from '#renderer/api/client.ts'
import { privacyKeys } from '#renderer/api/privacy.ts'
import { cursorQuery, BY_CURSOR } from '#renderer/ui/lists/pages.ts'

/** Secrets that the scan of the archive found in a session, by entry; without those that the user or the policy keeps. */
export type Secrets = ReadonlyMap<string, readonly ArchiveFinding[]>

const PAGE = 100
/** Findings on further pages are not marked. */
const MAX_PAGES = 10

export function useSecrets(traceId: string): Secrets {
  const query = { trace: traceId, type: [...SECRET_TYPES] }
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = useInfiniteQuery({
    queryKey: privacyKeys.findings({ ...query, marks: true }),
    queryFn: ({ pageParam, signal }) => api.listFindings({ query: { ...query, limit: PAGE, ...cursorQuery(pageParam) }, signal }),
    ...BY_CURSOR,
    getNextPageParam: (page, pages) => (pages.length < MAX_PAGES ? (page.nextCursor ?? undefined) : undefined),
  })
  useEffect(() => {
    if (hasNextPage && !isFetchingNextPage) void fetchNextPage()
  }, [hasNextPage, isFetchingNextPage, fetchNextPage])
  return useMemo(
    () => Map.groupBy(data?.pages.flatMap(({ items }) => items.filter(({ action }) => action !== 'keep')) ?? [], ({ stepId }) => stepId),
    [data],
  )
}

/** The text of a finding: the scan stores its position, never the value. Null if the position is not in the loaded text. */
export function valueOf(
  item: TranscriptItem,
  { part, path, start, end }: Pick<ArchiveFinding, 'part' | 'path' | 'start' | 'end'>,
): string | null {
  const text = item.kind !== 'step' ? item.text : part === 'result' ? item.step.output : valueAt(item.step.input, path)
  if (typeof text !== 'string' || end > text.length) return null
  return text.slice(start, end) || null
}

/** The value at a JSON pointer. */
function valueAt(value: unknown, path: string): unknown {
  let inner = value
  for (const key of path
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))) {
    if (typeof inner !== 'object' || inner === null || !Object.hasOwn(inner, key)) return undefined
    inner = (inner as Record<string, unknown>)[key] // checked before
  }
  return inner
}
