import { randomUUID } from 'node:crypto'
import type { GuardProfile, GuardrailEvent } from '#contracts/entities/guardrail.ts'
import { AppError } from '#contracts/errors.ts'
import type { Database } from '#server/db/open.ts'

interface Row {
  no: number
  id: string
  at: number
  verdict: 'warn' | 'block'
  rule: string
  reason: string
  profile: GuardProfile
  sandbox_id: string | null
  excerpt: string
}

export interface EventFilter {
  verdict?: 'warn' | 'block' | undefined
  profile?: GuardProfile | undefined
  cursor?: string | undefined
  limit: number
}

const toEvent = ({ id, at, verdict, rule, reason, profile, sandbox_id: sandboxId, excerpt }: Row): GuardrailEvent => ({
  id,
  at: new Date(at).toISOString(),
  verdict,
  type: 'command',
  rule,
  reason,
  profile,
  sandboxId,
  excerpt,
})

export function createGuardrailStore(db: Database, now: () => number) {
  const insert = db.prepare(
    `INSERT INTO guardrail_events (id, at, verdict, rule, reason, profile, sandbox_id, excerpt)
     VALUES (@id, @at, @verdict, @rule, @reason, @profile, @sandboxId, @excerpt)`,
  )
  const where = '(@verdict IS NULL OR verdict = @verdict) AND (@profile IS NULL OR profile = @profile)'
  const count = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM guardrail_events WHERE ${where}`)
  const list = db.prepare<unknown[], Row>(
    `SELECT * FROM guardrail_events WHERE ${where} AND (@before IS NULL OR no < @before) ORDER BY no DESC LIMIT @limit`,
  )

  return {
    add(event: Omit<GuardrailEvent, 'id' | 'at' | 'type'>): GuardrailEvent {
      const [id, at] = [randomUUID(), now()]
      insert.run({ ...event, id, at })
      return { ...event, id, at: new Date(at).toISOString(), type: 'command' }
    },
    list({ verdict, profile, cursor, limit }: EventFilter) {
      const before = cursor === undefined ? null : Number(cursor)
      if (before !== null && !Number.isSafeInteger(before))
        throw new AppError('invalid_request', { message: 'This cursor is not one of ours.', hint: 'Take it from `nextCursor`.' })
      const filter = { verdict: verdict ?? null, profile: profile ?? null }
      const rows = list.all({ ...filter, before, limit: limit + 1 })
      const items = rows.slice(0, limit)
      return { items: items.map(toEvent), nextCursor: rows.length > limit ? String(items.at(-1)!.no) : null, total: count.get(filter)!.n }
    },
  }
}
