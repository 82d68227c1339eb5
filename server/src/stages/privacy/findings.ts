import { isoOf } from '#server/instant.ts'
import {
  PII_TYPES,
  SECRET_TYPES,
  PrivacyAction,
  type ArchiveFinding,
  type FoundValue,
  type PiiType,
  type PrivacyPolicy,
} from '#contracts/entities/privacy.ts'
import type { Core } from '#server/core.ts'
import { invalidCursor, numberBefore, pageOf } from '#server/db/paging.ts'
import { SECRET_CONFIDENCE } from './decisions.ts'
import { strategyOf } from './replace/index.ts'
import type { FindingRow } from './store.ts'

const QUERY_JOB = new URL('../../db/query.job.ts', import.meta.url)
const MAX_VALUES = 200

export interface FindingQuery {
  id?: string | undefined
  type?: PiiType[] | undefined
  project?: string | undefined
  trace?: string | undefined
  file?: string | undefined
  action?: PrivacyAction | undefined
  detector?: string | undefined
  minConfidence?: number | undefined
  belowConfidence?: number | undefined
  value?: string | undefined
}

/** SQL: a column of the active decision for a scope and key. */
const activeDecisionSql = (scope: string, key: string, column: string) =>
  `(SELECT ${column} FROM privacy_decisions d WHERE d.scope = '${scope}' AND d.key = ${key} AND d.undone_at IS NULL ORDER BY d.no DESC LIMIT 1)`
const KEYS = [
  ['finding', "f.type || '|' || f.value || '|' || f.step_id"],
  ['value', 'f.value'],
  ['project', "f.type || '|' || f.project"],
  ['type', 'f.type'],
] as const

const BAND = 'CASE WHEN confidence >= 0.9 THEN 0.9 WHEN confidence >= 0.7 THEN 0.7 WHEN confidence >= 0.5 THEN 0.5 ELSE 0 END'

interface ValueCount {
  value: string
  count: number
}
interface Cell {
  type: PiiType
  action: PrivacyAction
  confidence: number
  count: number
}

/** Lists and counts findings with their action, decided in the same order as in the gate. Queries run in a worker. */
export function createFindings({ workers, paths }: Pick<Core, 'workers' | 'paths'>, policy: () => PrivacyPolicy) {
  const query = (statements: { sql: string; params: unknown[] }[]) =>
    workers.run<unknown[][]>(QUERY_JOB, { database: paths.database, statements }, { lane: 'query' })

  /** SQL for the findings of types in the policy, with the columns `action` and `decided_by`. */
  const findingsSql = (filter: FindingQuery, extra: { sql: string; params: unknown[] } = { sql: '1', params: [] }) => {
    const { types, confidenceThreshold, strategies, defaultStrategy } = policy()
    const searchedTypes = new Set<PiiType>([...types, ...SECRET_TYPES])
    const redacted = PII_TYPES.filter((type) => strategyOf({ strategies, defaultStrategy }, type) === 'redact')
    const conditions: [string, unknown[]][] = [
      [
        'f.type IN (SELECT value FROM json_each(?))',
        [JSON.stringify([...searchedTypes].filter((type) => filter.type?.includes(type) ?? true))],
      ],
      [extra.sql, extra.params],
    ]
    const equal = {
      'f.id': filter.id,
      'f.project': filter.project,
      'f.trace_id': filter.trace,
      'f.file': filter.file,
      'f.value': filter.value,
      'f.detector': filter.detector,
    }
    for (const [column, value] of Object.entries(equal)) if (value !== undefined) conditions.push([`${column} = ?`, [value]])
    if (filter.minConfidence !== undefined) conditions.push(['f.confidence >= ?', [filter.minConfidence]])
    if (filter.belowConfidence !== undefined) conditions.push(['f.confidence < ?', [filter.belowConfidence]])
    const secrets = JSON.stringify(SECRET_TYPES)
    const byPolicy = `CASE WHEN f.confidence < CASE WHEN f.type IN (SELECT value FROM json_each(?)) THEN min(?, ?) ELSE ? END THEN 'keep'
      WHEN f.type IN (SELECT value FROM json_each(?)) THEN 'redact' ELSE 'replace' END`
    const sql = `SELECT f.*, coalesce(${KEYS.map(([scope, key]) => activeDecisionSql(scope, key, 'd.action')).join(', ')}, ${byPolicy}) AS action,
        coalesce(${KEYS.map(([scope, key]) => activeDecisionSql(scope, key, 'd.scope')).join(', ')}, 'policy') AS decided_by
      FROM privacy_findings f WHERE ${conditions.map(([condition]) => condition).join(' AND ')}`
    const params = [
      secrets,
      SECRET_CONFIDENCE,
      confidenceThreshold,
      confidenceThreshold,
      JSON.stringify(redacted),
      ...conditions.flatMap(([, values]) => values),
    ]
    return filter.action === undefined
      ? { sql, params }
      : { sql: `SELECT * FROM (${sql}) WHERE action = ?`, params: [...params, filter.action] }
  }

  return {
    async list(filter: FindingQuery & { cursor?: string | undefined; limit: number }) {
      const page = findingsSql(filter, filter.cursor === undefined ? undefined : { sql: 'f.no < ?', params: [numberBefore(filter.cursor)] })
      const all = findingsSql(filter)
      const [rows, totals] = (await query([
        { sql: `${page.sql} ORDER BY no DESC LIMIT ?`, params: [...page.params, filter.limit + 1] },
        { sql: `SELECT count(*) AS n FROM (${all.sql})`, params: all.params },
      ])) as [DecidedRow[], [{ n: number }]]
      const { items, nextCursor } = pageOf(rows, filter.limit, ({ no }) => no)
      return { items: items.map(toFinding), nextCursor, total: totals[0].n }
    },
    /** Findings grouped by type and value; the example is the newest of a group. */
    async values(filter: FindingQuery & { cursor?: string | undefined; limit: number }) {
      const all = findingsSql(filter)
      const after = placeAfter(filter.cursor)
      const groups = `SELECT *, count(*) AS places, count(DISTINCT trace_id) AS sessions, max(no) AS newest,
          ${PrivacyAction.options.map((action) => `total(action = '${action}') AS count_${action}`).join(', ')}
        FROM (${all.sql}) GROUP BY type, value`
      const [rows, totals] = (await query([
        {
          sql: `SELECT * FROM (${groups}) WHERE places < ? OR (places = ? AND newest < ?) ORDER BY places DESC, newest DESC LIMIT ?`,
          params: [...all.params, after.places, after.places, after.newest, filter.limit + 1],
        },
        { sql: `SELECT count(*) AS n, total(places) AS places FROM (${groups})`, params: [...all.params] },
      ])) as [GroupRow[], [{ n: number; places: number }]]
      const { items, nextCursor } = pageOf(rows, filter.limit, ({ places, newest }) => `${places}-${newest}`)
      return { items: items.map(toFoundValue), nextCursor, total: totals[0].n, places: totals[0].places }
    },
    async facets(filter: FindingQuery) {
      const all = findingsSql(filter)
      const counts = (column: string) => ({
        sql: `SELECT ${column} AS value, count(*) AS count FROM (${all.sql}) WHERE ${column} IS NOT NULL GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ?`,
        params: [...all.params, MAX_VALUES],
      })
      const cells = `SELECT type, action, ${BAND} AS confidence, count(*) AS count FROM (${all.sql}) GROUP BY 1, 2, 3`
      const [type, project, file, detector, action, inCells] = (await query([
        ...['type', 'project', 'file', 'detector', 'action'].map(counts),
        { sql: cells, params: all.params },
      ])) as [ValueCount[], ValueCount[], ValueCount[], ValueCount[], ValueCount[], Cell[]]
      const total = inCells.reduce((sum, { count }) => sum + count, 0)
      return { total, type, project, file, detector, action, cells: inCells }
    },
    /** Places and distinct values by type, regardless of decisions. */
    async byType(): Promise<{ places: Record<string, number>; values: Record<string, number> }> {
      const all = findingsSql({})
      const sql = `SELECT type, count(*) AS places, count(DISTINCT value) AS found FROM (${all.sql}) GROUP BY type`
      const [rows] = (await query([{ sql, params: all.params }])) as [{ type: string; places: number; found: number }[]]
      return {
        places: Object.fromEntries(rows.map(({ type, places }) => [type, places])),
        values: Object.fromEntries(rows.map(({ type, found }) => [type, found])),
      }
    },
  }
}

/** A cursor of `values`: the places and the newest finding of the last group of a page. */
function placeAfter(cursor: string | undefined): { places: number; newest: number } {
  if (cursor === undefined) return { places: Number.MAX_SAFE_INTEGER, newest: 0 }
  const match = /^(\d{1,15})-(\d{1,15})$/.exec(cursor)
  if (match === null) throw invalidCursor()
  return { places: Number(match[1]), newest: Number(match[2]) }
}

type GroupRow = DecidedRow & { places: number; sessions: number; newest: number } & Record<`count_${PrivacyAction}`, number>

const toFoundValue = (row: GroupRow): FoundValue => ({
  places: row.places,
  sessions: row.sessions,
  actions: { keep: row.count_keep, redact: row.count_redact, replace: row.count_replace },
  example: toFinding(row),
})

type DecidedRow = FindingRow & { action: PrivacyAction; decided_by: ArchiveFinding['decidedBy'] }

const toFinding = (row: DecidedRow): ArchiveFinding => ({
  id: row.id,
  traceId: row.trace_id,
  stepId: row.step_id,
  part: row.part,
  path: row.path,
  type: row.type,
  detector: row.detector,
  start: row.start,
  end: row.end,
  confidence: row.confidence,
  validated: row.validated === 1,
  value: row.value,
  preview: row.preview,
  project: row.project,
  file: row.file,
  at: isoOf(row.at),
  action: row.action,
  decidedBy: row.decided_by,
})
