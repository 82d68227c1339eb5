import type { RouterProxy } from '#contracts/entities/routing.ts'
import type { Passed } from '#server/adapters/llm-proxy/index.ts'
import { isoOf } from '#server/instant.ts'

const DAY_MS = 86_400_000
const MOST = 20

/** Sessions that lost the check of their commands: known while the app runs, until one asks for it again or is silent for a day. */
export function createUnchecked(now: () => number) {
  const found = new Map<string, number>()
  return {
    see({ session, asksForCheck }: Pick<Passed, 'session' | 'asksForCheck'>): void {
      if (session === null || asksForCheck === null) return
      found.delete(session)
      if (!asksForCheck) found.set(session, now())
      if (found.size > MOST) found.delete(found.keys().next().value!)
    },
    list(): RouterProxy['unchecked'] {
      for (const [session, at] of found) if (at < now() - DAY_MS) found.delete(session)
      return [...found].map(([session, at]) => ({ session, at: isoOf(at) })).toReversed()
    },
  }
}
