import { AppError } from '#contracts/errors.ts'
import { parseFilter } from '#contracts/filter.ts'
import type { TraceFilter } from '#contracts/routes/traces.ts'
import { whereOf } from './where.ts'
import type { Where } from './where.ts'

/** The whole filter of a request: its text and its parameters. Throws `filter_invalid` with every error in the text. */
export function whereOfFilter(filter: TraceFilter, now: number): Where {
  const { terms, errors } = parseFilter(filter.q ?? '')
  const first = errors[0]
  if (first) {
    throw new AppError('filter_invalid', {
      message: errors
        .map(({ start, message }, index) => `${index === 0 ? 'In the filter, at' : 'At'} character ${start + 1}: ${message}`)
        .join(' '),
      details: { ...first, errors },
    })
  }
  const where = whereOf(terms, now)
  const conditions: string[] = []
  const params: unknown[] = []
  const addIn = (column: string, values: readonly string[] | undefined) => {
    if (!values?.length) return
    conditions.push(`t.${column} IN (${values.map(() => '?').join(', ')})`)
    params.push(...values)
  }
  addIn('tier', filter.tier)
  addIn('agent', filter.agent)
  addIn('verification', filter.verification)
  if (filter.repo !== undefined) {
    conditions.push('t.repo = ? COLLATE NOCASE')
    params.push(filter.repo)
  }
  if (filter.from !== undefined) {
    conditions.push('t.ended_at >= ?')
    params.push(parseInstant('from', filter.from))
  }
  if (filter.to !== undefined) {
    conditions.push('t.started_at < ?')
    params.push(parseInstant('to', filter.to))
  }
  return { sql: [where.sql, ...conditions].join(' AND '), params: [...where.params, ...params], matches: where.matches }
}

function parseInstant(name: string, text: string): number {
  const time = Date.parse(text)
  if (Number.isNaN(time)) {
    throw new AppError('filter_invalid', {
      message: `The parameter "${name}" is not a time: "${text}". Use ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z.`,
      details: { token: text, start: 0, end: text.length, message: 'not a time', parameter: name },
    })
  }
  return time
}
