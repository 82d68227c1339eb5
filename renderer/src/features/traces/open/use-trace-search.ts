import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { TimelineRow, TranscriptItem } from '#contracts/entities/step.ts'
import { fold } from '#contracts/fold.ts'
import { lineWith, type FoundLine } from '#contracts/found-line.ts'
import { transcriptPage } from '../queries.ts'
import { stepText } from './call.ts'
import { stripAnsi } from './ansi.ts'
import { indexRows, PAGE_ROWS } from './rows.ts'

export interface TraceSearch {
  /** Indices of the timeline rows that contain the words, in order. */
  hits: readonly number[]
  /** The first matching line of each. */
  lines: ReadonlyMap<number, FoundLine>
  /** Share of the session that has been searched; 1 when complete. */
  done: number
  error: Error | null
}

const NO_LINES: ReadonlyMap<number, FoundLine> = new Map()
const NONE: TraceSearch = { hits: [], lines: NO_LINES, done: 1, error: null }
const STARTED: TraceSearch = { hits: [], lines: NO_LINES, done: 0, error: null }
/** Pages read at once; the other connections stay free for the rest of the app. */
const PAGES_AT_ONCE = 3
const SETTLE_MS = 200
/** A single letter of an alphabet would match every step; a character of Chinese or an emoji does not. */
const TOO_SHORT = /^[\0-\u{1fff}]?$/u

/**
 * Searches one session, page by page through the same cache as the transcript. Only the first part of a long output is
 * searched; the list's full-text search covers more.
 */
export function useTraceSearch(traceId: string, rows: readonly TimelineRow[], text: string): TraceSearch {
  const queries = useQueryClient()
  const words = fold(text).trim()
  const [latest, setKept] = useState({ words: '', search: NONE })
  useEffect(() => {
    if (TOO_SHORT.test(words) || rows.length === 0) return undefined
    const abort = new AbortController()
    const setSearch = (search: TraceSearch) => setKept({ words, search })
    const indexById = indexRows(rows)
    const pages = Math.ceil(rows.length / PAGE_ROWS)
    const lines = new Map<number, FoundLine>()
    const scan = async () => {
      for (let page = 0; page < pages && !abort.signal.aborted; page += PAGES_AT_ONCE) {
        const batch = Array.from({ length: Math.min(PAGES_AT_ONCE, pages - page) }, (_, offset) => page + offset)
        const answers = await Promise.all(batch.map((page) => queries.ensureQueryData(transcriptPage(traceId, rows, page))))
        for (const item of answers.flatMap(({ items }) => items)) {
          const index = indexById.get(item.id)
          const line = index === undefined ? null : foundLine(item, words)
          if (index !== undefined && line !== null) lines.set(index, line)
        }
        if (!abort.signal.aborted)
          setSearch({ hits: sortedIndices(lines), lines: new Map(lines), done: Math.min(1, (page + PAGES_AT_ONCE) / pages), error: null })
      }
    }
    const timer = setTimeout(() => {
      setSearch(STARTED)
      scan().catch(
        (error: unknown) => !abort.signal.aborted && setSearch({ hits: sortedIndices(lines), lines, done: 1, error: error as Error }),
      )
    }, SETTLE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [queries, traceId, rows, words])
  if (TOO_SHORT.test(words)) return NONE
  // results for other words do not apply to these
  return latest.words === words ? latest.search : STARTED
}

const sortedIndices = (lines: ReadonlyMap<number, unknown>): number[] => [...lines.keys()].toSorted((a, b) => a - b)

/** The line that contains the words; terminal colours are ignored. */
export const foundLine = (item: TranscriptItem, words: string): FoundLine | null =>
  lineWith(stripAnsi(item.kind === 'step' ? stepText(item.step) : item.text), words)
