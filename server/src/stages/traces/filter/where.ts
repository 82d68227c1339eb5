import { fold } from '#contracts/fold.ts'
import { lookup } from '#contracts/lookup.ts'
import type { FilterTerm, FilterValue } from '#contracts/filter.ts'
import { SCORE_EPSILON } from '#contracts/score-figure.ts'
import { matchOf } from '../search/match.ts'
import { DAY, daysOf } from './days.ts'
import { ANSWER_SCORE } from './sorting.ts'

export interface Where {
  /** A condition over `traces AS t`. It may use `hits0`, `hits1`…, so it must go through `statementOf`. */
  sql: string
  params: unknown[]
  /** The full text expressions; if there are any, `search.db` must be attached as `search`. */
  matches: string[]
}

/** Maximum hits of a full text search, newest entries first, which limits its time. */
export const MAX_HITS = 20_000

interface Condition {
  sql: string
  params: unknown[]
}

/**
 * Puts the tables that `where` and `select` need in front of `select`: the hits of each full text expression, looked up
 * once, then `tables` (`name AS MATERIALIZED (…)`). `params` are those of the tables and of `select`, in order.
 */
export function statementOf(where: Where, tables: readonly string[], select: string, params: readonly unknown[] = where.params): Condition {
  const hits = where.matches.map(
    (_, index) =>
      `${hitsOf(index)} AS MATERIALIZED (SELECT rowid FROM search.docs WHERE docs MATCH ? ORDER BY rowid DESC LIMIT ${MAX_HITS + 1})`,
  )
  const all = [...hits, ...tables]
  return { sql: `${all.length ? `WITH ${all.join(', ')} ` : ''}${select}`, params: [...where.matches, ...params] }
}

const hitsOf = (index: number) => `hits${index}`

/** SQL: 1 if a text has more hits than the maximum, so that a total is only a lower bound. */
export const isCutShort = (where: Where): string =>
  where.matches.map((_, index) => `(SELECT count(*) FROM ${hitsOf(index)}) > ${MAX_HITS}`).join(' OR ') || '0'

type AnyOf = Extract<FilterValue, { kind: 'any' }>
type Range = Extract<FilterValue, { kind: 'range' }>

/** A condition on a row `t` of `traces`. */
export const UNVERIFIED = "t.tier = 'gold' AND t.tier_source = 'policy' AND t.verification <> 'passed'"

/** The session is in one of these data sets, and not only to test: that part is never trained on. */
const isIn = (dataSets: string) =>
  `EXISTS (SELECT 1 FROM dataset_sessions s WHERE s.trace_id = t.id AND s.split <> 'test' AND s.dataset_id IN (${dataSets}))`

const IS: Record<string, string> = lookup({
  live: "t.state = 'live'",
  ended: "t.state <> 'live'",
  interrupted: "t.state = 'interrupted'",
  sample: 't.sample = 1',
  unverified: UNVERIFIED,
  'hooks-only': 't.hooks_only = 1',
  run: 'EXISTS (SELECT 1 FROM trace_runs r WHERE r.trace_id = t.id)',
  'user-tier': "t.tier_source = 'user'",
  // the policy could not tell, or has no check to rely on
  unsure: `t.tier_source = 'policy' AND (t.tier = 'pending' OR (${UNVERIFIED}))`,
  'in-dataset':
    'EXISTS (SELECT 1 FROM dataset_sessions s JOIN datasets d ON d.id = s.dataset_id WHERE s.trace_id = t.id AND d.removed_at IS NULL)',
  'held-out': 't.id IN (SELECT trace_id FROM exam_sessions)',
  trained: isIn('SELECT dataset_id FROM trained_datasets'),
  used: 't.id IN (SELECT e.trace_id FROM student_entries e JOIN students s ON s.name = e.name)',
  proven: isIn('SELECT d.dataset_id FROM proven_models p JOIN trained_datasets d ON d.model_id = p.model_id'),
})

/** Minimum length of a failure run (`has:failure-run`). */
export const FAILURE_RUN = 5

const HAS: Record<string, string> = lookup({
  'test-pass': "t.verification = 'passed'",
  'test-fail': "t.verification = 'failed'",
  verification: "t.verification <> 'none'",
  commit: 't.commits > 0',
  subagent: 't.subagents > 0',
  error: 't.failed_tool_calls > 0',
  'failure-run': `t.longest_failure_run >= ${FAILURE_RUN}`,
  rejected: 't.rejected_tool_calls > 0',
  problem: 't.problems > 0',
  note: 'EXISTS (SELECT 1 FROM notes n WHERE n.trace_id = t.id)',
  tag: 'EXISTS (SELECT 1 FROM tags g WHERE g.trace_id = t.id)',
  cost: 't.cost_usd IS NOT NULL',
  grade: `${ANSWER_SCORE} IS NOT NULL`,
})

const RANGES: Record<string, string> = lookup({
  cost: 't.cost_usd',
  tokens: 't.tokens',
  calls: 't.tool_calls',
  failed: 't.failed_tool_calls',
  prompts: 't.prompts',
  quality: 't.quality',
  grade: ANSWER_SCORE,
  success: 't.success_rate',
  duration: 't.duration_ms',
})

const SCORES = new Set(['t.quality', 't.success_rate', ANSWER_SCORE])

/** Fields with one value per session: several positive terms mean any of them. */
const SINGLE = new Set(['tier', 'verification', 'agent', 'repo', 'branch'])

/** The condition of parsed terms; ages are relative to `now` (ms). User input is always a parameter. */
export function whereOf(terms: readonly FilterTerm[], now: number): Where {
  const conditions: Condition[] = []
  const valuesByField = new Map<string, string[]>()
  for (const term of terms) {
    if (term.field === 'text') continue
    if (SINGLE.has(term.field) && !term.negated && term.value.kind === 'any') {
      valuesByField.set(term.field, [...(valuesByField.get(term.field) ?? []), ...term.value.values])
    } else conditions.push(negate(term.negated, termCondition(term.field, term.value, now)))
  }
  for (const [field, values] of valuesByField) conditions.push(termCondition(field, { kind: 'any', values, not: false }, now))

  const texts = terms.filter((term) => term.field === 'text')
  const positiveTerms = texts.filter((term) => !term.negated)
  const matches: string[] = []
  if (positiveTerms.length) conditions.push(textCondition(positiveTerms, matches))
  for (const term of texts) if (term.negated) conditions.push(negate(true, textCondition([term], matches)))
  return {
    sql: conditions.length ? conditions.map(({ sql }) => `(${sql})`).join(' AND ') : '1',
    params: conditions.flatMap(({ params }) => params),
    matches,
  }
}

const negate = (negated: boolean, { sql, params }: Condition): Condition =>
  negated ? { sql: `NOT coalesce((${sql}), 0)`, params } : { sql, params }
/** Whether a column has a folded text. Folding is a call into JavaScript, so ASCII is left to SQLite. */
const hasFolded = (column: string) => `instr(CASE WHEN ${column} GLOB '*[^ -~]*' THEN fold(${column}) ELSE lower(${column}) END, ?) > 0`
const placeholders = (values: readonly unknown[]) => values.map(() => '?').join(', ')

function termCondition(field: string, value: FilterValue, now: number): Condition {
  if (value.kind === 'range') return field === 'age' ? ageCondition(value, now) : rangeCondition(RANGES[field]!, value)
  if (value.kind === 'text') throw new Error(`The filter field ${field} does not accept text.`)
  return anyOfCondition(field, value)
}

function anyOfCondition(field: string, { values, not }: AnyOf): Condition {
  switch (field) {
    case 'outcome': // a session that was not looked up has none
      return { sql: `t.id IN (SELECT trace_id FROM trace_outcomes WHERE label IN (${placeholders(values)}))`, params: values }
    case 'tier':
    case 'verification':
    case 'agent':
      return { sql: `t.${field} IN (${placeholders(values)})`, params: values }
    case 'is':
      return { sql: values.map((value) => `(${IS[value]!})`).join(' OR '), params: [] }
    case 'has':
      return { sql: values.map((value) => HAS[value]!).join(' OR '), params: [] }
    case 'repo':
      return { sql: values.map(() => 't.repo = ? COLLATE NOCASE').join(' OR '), params: values }
    case 'branch':
      return { sql: values.map(() => 't.git_branch = ? COLLATE NOCASE').join(' OR '), params: values }
    case 'day':
      return {
        sql: values.map(() => `${DAY} BETWEEN ? AND ?`).join(' OR '),
        params: values.flatMap(daysOf),
      }
    case 'tag':
      return { sql: `t.id IN (SELECT trace_id FROM tags WHERE tag COLLATE NOCASE IN (${placeholders(values)}))`, params: values }
    case 'tool':
      return { sql: `t.no IN (SELECT trace FROM trace_facets WHERE kind = 'tool' AND value IN (${placeholders(values)}))`, params: values }
    case 'exit':
      return {
        sql: `t.no IN (SELECT trace FROM trace_facets WHERE kind = 'exit' AND value ${not ? 'NOT ' : ''}IN (${placeholders(values)}))`,
        params: values.map((value) => String(Number(value))),
      }
    case 'model': // `model:sonnet` finds every sonnet
      return {
        sql: values
          .map(() => "t.no IN (SELECT trace FROM trace_facets WHERE kind = 'model' AND instr(lower(value), lower(?)) > 0)")
          .join(' OR '),
        params: values,
      }
    case 'file':
      return {
        sql: values
          .map(
            () =>
              `EXISTS (SELECT 1 FROM trace_details d, json_each(d.files) f WHERE d.trace = t.no AND ${hasFolded("f.value ->> 'path'")})`,
          )
          .join(' OR '),
        params: values.map(fold),
      }
    default:
      throw new Error(`The filter field ${field} has no condition.`)
  }
}

function rangeCondition(column: string, { low, lowOpen, high, highOpen }: Range): Condition {
  const parts: Condition[] = []
  // a quality shown as 0.75 matches >=0.75 and not >0.75, although a weighted sum may differ in the last bit
  const tolerance = SCORES.has(column) ? SCORE_EPSILON : 0
  if (low !== null) parts.push({ sql: `${column} ${lowOpen ? '>' : '>='} ?`, params: [lowOpen ? low + tolerance : low - tolerance] })
  if (high !== null) parts.push({ sql: `${column} ${highOpen ? '<' : '<='} ?`, params: [highOpen ? high - tolerance : high + tolerance] })
  return { sql: parts.map(({ sql }) => sql).join(' AND '), params: parts.flatMap(({ params }) => params) }
}

/** Older means ended earlier, so the bounds are swapped. */
const ageCondition = ({ low, lowOpen, high, highOpen }: Range, now: number): Condition =>
  rangeCondition('t.ended_at', {
    kind: 'range',
    low: high === null ? null : now - high,
    lowOpen: highOpen,
    high: low === null ? null : now - low,
    highOpen: lowOpen,
  })

/** Entries or titles with all words, or the id of a session. Adds to `matches`. */
function textCondition(terms: readonly { value: FilterValue }[], matches: string[]): Condition {
  const texts = terms.flatMap(({ value }) => (value.kind === 'text' ? [value] : []))
  const inTitle: Condition = {
    sql: texts.map(() => hasFolded('t.title')).join(' AND '),
    params: texts.map(({ text }) => fold(text)),
  }
  const match = matchOf(texts)
  const hits =
    match === null
      ? null
      : {
          sql: `t.no IN (SELECT p.trace FROM ${hitsOf(matches.push(match) - 1)} h CROSS JOIN search.places p ON p.rowid = h.rowid)`,
          params: [],
        }
  const byId = texts.length === 1 ? { sql: 't.session_id = ? OR t.id = ?', params: [texts[0]!.text, texts[0]!.text] } : null
  const alternatives = [hits, inTitle, byId].filter((one) => one !== null)
  return { sql: alternatives.map(({ sql }) => `(${sql})`).join(' OR '), params: alternatives.flatMap(({ params }) => params) }
}
