import type { DatasetKind } from '#contracts/entities/dataset.ts'
import type { Loop, LoopArrow, LoopStage, LoopStageId } from '#contracts/entities/loop.ts'
import { OWN_WORK } from '#contracts/filter.ts'
import { isoOf } from '#server/instant.ts'
import type { Lists } from '../traces/index.ts'
import { type LoopFacts, nextAction } from './next.ts'

/** What makes a session one of a stage, in the filter language. */
const STAGES: readonly { id: LoopStageId; word: string }[] = [
  { id: 'captured', word: '' },
  { id: 'decided', word: '-tier:pending' },
  { id: 'dataset', word: 'is:in-dataset' },
  { id: 'trained', word: 'is:trained' },
  { id: 'proven', word: 'is:proven' },
  { id: 'used', word: 'is:used' },
]

const queryOf = (...words: string[]): string => [...words, OWN_WORK].filter(Boolean).join(' ')

const PAIRS = STAGES.slice(1).map(({ id, word }, index) => {
  const before = STAGES[index]!
  // A model works in other sessions than those that it was trained on, so there is no share of them.
  return { from: before.id, to: id, query: id === 'used' ? null : queryOf(before.word, word) }
})
const GOOD = 'is:ended tier:gold,silver -is:unverified -is:sample -is:held-out'
const QUERIES = {
  good: queryOf(GOOD, '-is:in-dataset'),
  untrained: queryOf(GOOD, 'is:in-dataset', '-is:trained'),
  unsure: queryOf('is:ended is:unsure -is:sample', 'age:<30d'),
}

const statement = (sql: string) => ({ sql, params: [] })
const TOTALS = statement(
  `SELECT (SELECT count(*) FROM datasets WHERE removed_at IS NULL) AS dataSets, (SELECT max(created_at) FROM datasets WHERE removed_at IS NULL) AS dataSetAt,
     (SELECT count(*) FROM model_heads) AS models, (SELECT max(created_at) FROM model_heads) AS modelAt,
     (SELECT count(*) FROM proven_models p JOIN model_heads m ON m.id = p.model_id) AS proven,
     (SELECT max(at) FROM proven_models) AS provenAt,
     (SELECT count(*) FROM student_steps) AS steps, (SELECT max(at) FROM student_steps) AS usedAt,
     (SELECT count(*) FROM runs WHERE state NOT IN ('completed', 'failed', 'cancelled', 'paused')) AS training`,
)
const RESULTS = statement("SELECT id FROM tasks WHERE state = 'review' ORDER BY no DESC")
const NEWEST_DATA_SET = statement('SELECT id, kind, name, version FROM datasets WHERE removed_at IS NULL ORDER BY no DESC LIMIT 1')
const NEWEST_MODEL = statement(
  `SELECT m.id, m.name, EXISTS (SELECT 1 FROM model_verdicts v WHERE v.model_id = m.id) AS hasVerdict,
     r.id AS runId, r.exam_id AS examId, r.state
   FROM model_heads m LEFT JOIN exam_run_heads r ON r.no = (SELECT max(x.no) FROM exam_run_heads x WHERE x.model_id = m.id)
   WHERE m.archived = 0 ORDER BY m.created_at DESC, m.id LIMIT 1`,
)
const UNUSED = statement(
  `SELECT m.id, m.name FROM proven_models p JOIN model_heads m ON m.id = p.model_id
   WHERE m.archived = 0 AND m.artifacts < 2 AND m.answered_at IS NULL
     AND NOT EXISTS (SELECT 1 FROM student_steps w WHERE w.model_id = m.id) ORDER BY m.created_at DESC LIMIT 1`,
)
const EXAMS = statement("SELECT id, exam_id AS examId, title, state FROM exam_run_heads WHERE state IN ('queued', 'running') ORDER BY no")

type Named = { id: string; name: string }
type Rows = [
  [
    Record<'dataSets' | 'models' | 'proven' | 'training' | 'steps', number> &
      Record<'dataSetAt' | 'modelAt' | 'provenAt' | 'usedAt', number | null>,
  ],
  { id: string }[],
  (Named & { kind: DatasetKind; version: number })[],
  (Named & { hasVerdict: number; runId: string | null; examId: string; state: string })[],
  Named[],
  Loop['exams'],
]

/** Reads all stages of the loop in one snapshot, in a worker. */
export async function readLoop({ counts: countsOf }: Pick<Lists, 'counts'>): Promise<Loop> {
  const known = STAGES.map(({ word }) => queryOf(word))
  const pairs = PAIRS.flatMap(({ query }) => query ?? [])
  const queries = [...new Set([...known, ...pairs, ...Object.values(QUERIES)])]
  const { counts, more } = await countsOf(queries, [TOTALS, RESULTS, NEWEST_DATA_SET, NEWEST_MODEL, UNUSED, EXAMS])
  const [[totals], results, [dataSet], [model], [unused], exams] = more as Rows // the statements above, in their order
  const countOf = (query: string) => counts[queries.indexOf(query)]!
  const sessions = (query: string) => ({ query, count: countOf(query).n })

  const things: Partial<Record<LoopStageId, LoopStage['things']>> = {
    dataset: { count: totals.dataSets, noun: 'data set', href: '/factory/datasets' },
    trained: { count: totals.models, noun: 'model', href: '/models' },
    proven: { count: totals.proven, noun: 'model', href: '/models' },
    used: { count: totals.steps, noun: 'step', href: '/router' },
  }
  const newest: Partial<Record<LoopStageId, number | null>> = {
    dataset: totals.dataSetAt,
    trained: totals.modelAt,
    proven: totals.provenAt,
    used: totals.usedAt,
  }
  const stages = STAGES.map(({ id, word }): LoopStage => {
    const { n, newestAt } = countOf(queryOf(word))
    const at = id in newest ? newest[id]! : newestAt
    return { id, sessions: n, query: queryOf(word), newestAt: at === null ? null : isoOf(at), things: things[id] ?? null, note: null }
  })
  const facts: LoopFacts = {
    results: { count: results.length, only: results.length === 1 ? results[0]!.id : null },
    good: sessions(QUERIES.good),
    dataSets: totals.dataSets,
    newestDataSet: dataSet ? { id: dataSet.id, kind: dataSet.kind, name: `${dataSet.name} v${dataSet.version}` } : null,
    untrained: sessions(QUERIES.untrained),
    models: totals.models,
    isTraining: totals.training > 0,
    newestModel: model
      ? {
          id: model.id,
          name: model.name,
          hasVerdict: model.hasVerdict === 1,
          run: model.runId === null ? null : { id: model.runId, examId: model.examId, state: model.state },
        }
      : null,
    unused: unused ?? null,
    unsure: sessions(QUERIES.unsure),
  }
  const all = new Map(stages.map((stage) => [stage.id, stage.sessions]))
  const arrows = PAIRS.map(({ from, to, query }) => ({ from, to, query, sessions: query === null ? null : countOf(query).n }))
  return { stages, arrows: withShares(arrows, all), next: nextAction(facts), exams }
}

/** The share of each arrow, with the narrowest one marked. */
export function withShares(
  arrows: readonly Pick<LoopArrow, 'from' | 'to' | 'query' | 'sessions'>[],
  sessions: ReadonlyMap<LoopStageId, number | null>,
): LoopArrow[] {
  const shares = arrows.map((arrow) => {
    const all = sessions.get(arrow.from) ?? 0
    return arrow.sessions === null || all === 0 ? null : arrow.sessions / all
  })
  const measured = shares.filter((share) => share !== null)
  const least = measured.length === 0 ? null : Math.min(...measured)
  const narrowest = least === null || least === 1 ? -1 : shares.indexOf(least) // nothing is lost on a loop whose arrows keep all
  return arrows.map((arrow, index) => ({ ...arrow, share: shares[index]!, isNarrowest: index === narrowest }))
}
