import { EventEmitter, once } from 'node:events'
import type { z } from 'zod'
import type { getRunLogs } from '#contracts/routes/training.ts'
import type { Core } from '#server/core.ts'
import type { RunStore } from './store.ts'

/** States in which nobody writes lines. A removed run has none. */
const STILL = new Set<string | undefined>(['completed', 'failed', 'cancelled', 'paused', undefined])

/** The lines of a run's log as JSON Lines: those that a single answer would have, then each later one until the run ends. */
export async function* followLines(
  id: string,
  query: Omit<z.output<(typeof getRunLogs)['query']>, 'follow'>,
  { store, events, signal }: { store: RunStore; events: Core['events']; signal: AbortSignal },
): AsyncGenerator<Uint8Array> {
  const news = new EventEmitter()
  let hasNews = false
  const unsubscribe = events.subscribe(({ type }) => {
    if (!type.startsWith('training:')) return
    hasNews = true
    news.emit('news')
  })
  let after = query.after
  try {
    while (!signal.aborted) {
      hasNews = false
      const isLast = STILL.has(store.find(id)?.state) // before the read, so that no line is missed
      const run = store.find(id)
      const lines = run ? store.lines(run.no, { ...query, after }) : []
      for (const line of lines) yield Buffer.from(`${JSON.stringify(line)}\n`)
      after = lines.at(-1)?.n ?? after ?? 0
      if (lines.length === query.limit) continue
      if (isLast) return
      if (!hasNews) await once(news, 'news', { signal }).catch(() => {}) // the caller has left
    }
  } finally {
    unsubscribe()
  }
}
