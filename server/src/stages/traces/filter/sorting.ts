import { lookup } from '#contracts/lookup.ts'
import { AppError } from '#contracts/errors.ts'
import type { z } from 'zod'
import type { TraceSort } from '#contracts/routes/traces.ts'

type Sort = z.infer<typeof TraceSort>

/** The mean grade of a model. */
export const ANSWER_SCORE = '(SELECT score FROM trace_answer_scores WHERE trace_id = t.id)'

// Texts are compared by their first 40 characters, so that a cursor stays within 400.
const COLUMNS: Record<string, string> = lookup({
  startedAt: 't.started_at',
  endedAt: 't.ended_at',
  quality: 't.quality',
  tokens: 't.tokens',
  cost: 't.cost_usd',
  toolCalls: 't.tool_calls',
  duration: 't.duration_ms',
  working: 't.duration_ms - t.waiting_ms',
  waiting: 't.waiting_ms',
  title: 'substr(t.title, 1, 40) COLLATE NOCASE',
  repo: 'substr(t.repo, 1, 40) COLLATE NOCASE',
  tier: 't.tier_rank',
  answerScore: ANSWER_SCORE,
})

export interface Keyset {
  /** Selected as `sort_value`, for the next cursor. */
  column: string
  orderBy: string
  /** Null on the first page. */
  after: { sql: string; params: unknown[] } | null
}

/** Order and start of a page: by the column, unknown values last in both directions, then by id. */
export function keysetOf(sort: Sort, cursor: string | undefined): Keyset {
  const isDescending = sort.startsWith('-')
  const column = COLUMNS[isDescending ? sort.slice(1) : sort]!
  const orderBy = `${column} ${isDescending ? 'DESC' : 'ASC'} NULLS LAST, t.id`
  return { column, orderBy, after: cursor === undefined ? null : afterCondition(column, isDescending, decodeCursor(cursor, sort)) }
}

function afterCondition(column: string, isDescending: boolean, [value, id]: [string | number | null, string]) {
  if (value === null) return { sql: `${column} IS NULL AND t.id > ?`, params: [id] }
  return {
    sql: `${column} ${isDescending ? '<' : '>'} ? OR ${column} IS NULL OR (${column} = ? AND t.id > ?)`,
    params: [value, value, id],
  }
}

export const encodeCursor = (sort: Sort, value: string | number | null, id: string): string =>
  Buffer.from(JSON.stringify([sort, value, id])).toString('base64url')

function decodeCursor(cursor: string, sort: Sort): [string | number | null, string] {
  try {
    const parsed: unknown = JSON.parse(Buffer.from(cursor, 'base64url').toString())
    if (Array.isArray(parsed) && parsed.length === 3 && parsed[0] === sort && typeof parsed[2] === 'string') {
      const value: unknown = parsed[1]
      if (value === null || typeof value === 'string' || typeof value === 'number') return [value, parsed[2]]
    }
  } catch {
    // reported below
  }
  throw new AppError('invalid_request', {
    message: 'This cursor does not belong to this list. Use `nextCursor` of the previous page, with the same sort.',
  })
}

/** A position in a session: 8 hex digits per conversation level (`EntryRow.ord`); empty at the start. */
const POSITION = /^(?:[0-9a-f]{8})*$/

/** Checks the position at or after which a page of one session starts. Throws `invalid_request`. */
export function positionOf(position: string): string {
  if (POSITION.test(position)) return position
  throw new AppError('invalid_request', {
    message: 'This is not a position in a session. Use `nextCursor` of the previous page, or the `position` of an item.',
  })
}
