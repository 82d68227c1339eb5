import type { RouteCause, RouteStudent } from '#contracts/entities/routing.ts'
import type { RoutingStrategy } from '#contracts/settings/router.ts'
import type { Core } from '#server/core.ts'
import { traceId } from '../../capture/index.ts'

/** Where a request goes, and why. */
export interface RouteChoice {
  to: 'teacher' | 'student'
  cause: RouteCause
  reason: string
  strategy: RoutingStrategy
  /** Of the student that answers, or was asked first. */
  student: RouteStudent | null
  confidence: number | null
  complexity: number | null
  /** The student was sent the conversation. */
  isAsked: boolean
  fallback: boolean
}

const KEPT_MS = 90 * 86_400_000
const EVERY = 200

/** Which model a conversation stays with; kept through restarts. */
export function createConversations({ db, now }: Pick<Core, 'db' | 'now'>) {
  const byKey = db.prepare<[string], { choice: string }>('SELECT choice FROM route_conversations WHERE key = ?')
  const byPrefix = db.prepare<[string], { choice: string }>(
    'SELECT choice FROM route_conversations WHERE prefix = ? ORDER BY at DESC LIMIT 1',
  )
  const put = db.prepare(
    `INSERT INTO route_conversations (key, prefix, trace_id, model_id, choice, at) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (key) DO UPDATE SET model_id = excluded.model_id, choice = excluded.choice, at = excluded.at`,
  )
  const drop = db.prepare('DELETE FROM route_conversations WHERE at < ?')
  let added = 0
  return {
    /** A conversation that goes on may have got another key: it was resumed or copied. */
    find({ key, prefix, answers }: { key: string; prefix: string; answers: number }): RouteChoice | null {
      const row = byKey.get(key) ?? (answers > 0 ? byPrefix.get(prefix) : undefined)
      return row ? (JSON.parse(row.choice) as RouteChoice) : null
    },
    keep({ key, prefix, session }: { key: string; prefix: string; session: string | null }, choice: RouteChoice): void {
      put.run(
        key,
        prefix,
        session && traceId('claude-code', session),
        choice.to === 'student' ? (choice.student?.id ?? null) : null,
        JSON.stringify(choice),
        now(),
      )
      if (added++ % EVERY === 0) drop.run(now() - KEPT_MS)
    },
  }
}
