import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { TimelineRow, TranscriptItem } from '#contracts/entities/step.ts'
import { transcriptPage } from '../queries.ts'
import { stepText } from './call.ts'
import { stripAnsi } from './ansi.ts'
import { indexRows, PAGE_ROWS } from './rows.ts'

export interface TraceSearch {
  /** Indices of the timeline rows that hold the words, in order. */
  hits: readonly number[]
  /** Share of the session that has been read for it; 1: all. */
  done: number
  error: Error | null
}

const NONE: TraceSearch = { hits: [], done: 1, error: null }
const BEGUN: TraceSearch = { hits: [], done: 0, error: null }
/** Pages read at once: the rest of the app keeps its connections. */
const AT_ONCE = 3
const SETTLE_MS = 200
/** One letter is in every step. */
const LEAST_CHARS = 2

/**
 * Looks for words in one session, page by page through the same cache that the transcript draws from. Of a long output
 * the page's first part is searched; the list's full-text search reads further.
 */
export function useTraceSearch(traceId: string, rows: readonly TimelineRow[], text: string): TraceSearch {
  const queries = useQueryClient()
  const words = text.trim().toLowerCase()
  const [kept, setKept] = useState({ words: '', search: NONE })
  useEffect(() => {
    if (words.length < LEAST_CHARS || rows.length === 0) return undefined
    const abort = new AbortController()
    const setSearch = (search: TraceSearch) => setKept({ words, search })
    const indexById = indexRows(rows)
    const pages = Math.ceil(rows.length / PAGE_ROWS)
    const hits = new Set<number>()
    const scan = async () => {
      for (let page = 0; page < pages && !abort.signal.aborted; page += AT_ONCE) {
        const batch = Array.from({ length: Math.min(AT_ONCE, pages - page) }, (_, offset) => page + offset)
        const answers = await Promise.all(batch.map((wanted) => queries.ensureQueryData(transcriptPage(traceId, rows, wanted))))
        for (const item of answers.flatMap(({ items }) => items)) {
          const index = indexById.get(item.id)
          if (index !== undefined && holds(item, words)) hits.add(index)
        }
        if (!abort.signal.aborted)
          setSearch({ hits: [...hits].toSorted((a, b) => a - b), done: Math.min(1, (page + AT_ONCE) / pages), error: null })
      }
    }
    const timer = setTimeout(() => {
      setSearch(BEGUN)
      scan().catch((error: unknown) => !abort.signal.aborted && setSearch({ hits: [...hits], done: 1, error: error as Error }))
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [queries, traceId, rows, words])
  if (words.length < LEAST_CHARS) return NONE
  // what was found for other words says nothing about these
  return kept.words === words ? kept.search : BEGUN
}

/** Case does not matter; colours of terminals are not part of the text. */
export function holds(item: TranscriptItem, words: string): boolean {
  return stripAnsi(item.kind === 'step' ? stepText(item.step) : item.text)
    .toLowerCase()
    .includes(words)
}
