import { randomUUID } from 'node:crypto'
import type { GuardProfile, GuardrailEvent } from '#contracts/entities/guardrail.ts'
import { isoOf } from '#server/instant.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'

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

const toEvent = ({ no: _no, at, sandbox_id: sandboxId, ...row }: Row): GuardrailEvent => ({
  ...row,
  at: isoOf(at),
  type: 'command',
  sandboxId,
})

export function createGuardrailStore(db: Database, now: () => number) {
  const insert = db.prepare(
    `INSERT INTO guardrail_events (id, at, verdict, rule, reason, profile, sandbox_id, excerpt)
     VALUES (@id, @at, @verdict, @rule, @reason, @profile, @sandboxId, @excerpt)`,
  )
  const where = '(@verdict IS NULL OR verdict = @verdict) AND (@profile IS NULL OR profile = @profile)'
  const count = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM guardrail_events WHERE ${where}`)
  const list = db.prepare<unknown[], Row>(`SELECT * FROM guardrail_events WHERE ${where} AND no < @before ORDER BY no DESC LIMIT @limit`)

  return {
    add(event: Omit<GuardrailEvent, 'id' | 'at' | 'type'>): GuardrailEvent {
      const [id, at] = [randomUUID(), now()]
      insert.run({ ...event, id, at })
      return { ...event, id, at: isoOf(at), type: 'command' }
    },
    list({ verdict, profile, cursor, limit }: EventFilter) {
      const filter = { verdict: verdict ?? null, profile: profile ?? null }
      const rows = list.all({ ...filter, before: numberBefore(cursor), limit: limit + 1 })
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      return { items: items.map(toEvent), nextCursor, total: count.get(filter)!.n }
    },
  }
}
