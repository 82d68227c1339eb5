import type { AnswerItem, AnswerRun, AnswerRunStatus } from '#contracts/entities/answer.ts'
import { isoOf } from '#server/instant.ts'
import type { ExamModels } from '../exam/models.ts'
import type { Agreements } from './agreement.ts'
import { familyNote } from './families.ts'
import { caseFigures, COMPARISON, comparisonFigures, metricFigures, preferenceOf, selfTestOf, verdictOf } from './figures.ts'
import { scoreOf } from './grade.ts'
import { planOf } from './plan.ts'
import { ANSWER, type AnswerStore, type GradeRow, type ItemRow, type RunRow } from './store.ts'

/** Runs and their items as in the API. */
export function createViews({
  store,
  models,
  agreement,
  isAsking,
}: {
  store: AnswerStore
  models: ExamModels
  agreement: Agreements
  isAsking: (id: string) => boolean
}) {
  const statusOf = (row: RunRow): AnswerRunStatus => {
    const { id, title, state, detail, total, startedAt } = row
    const shown = state === 'stopped' && startedAt === null ? 'prepared' : state === 'running' && !isAsking(id) ? 'queued' : state
    return { id, title, state: shown, detail, total, ...store.counts(row) }
  }
  const view = (row: RunRow): AnswerRun => {
    const { kind, request, facts, charged } = row
    const [grades, outline] = [store.grades(row), store.outline(row)]
    const note = facts.labels.model === null ? null : familyNote(facts.labels.model, facts.writers)
    const selfTest = selfTestOf(grades)
    return {
      ...statusOf(row),
      request,
      labels: facts.labels,
      items: outline.length,
      plan: planOf(row, { store, models }),
      metrics: metricFigures(
        grades,
        outline,
        agreement.with(facts.labels.model, (metric) => facts.rubrics[metric]?.version ?? null),
      ),
      cases: kind === 'set' ? caseFigures(outline) : null,
      comparison: kind === 'compare' ? comparisonFigures(grades, outline) : null,
      selfTest,
      notes: [
        ...(note === null ? [] : [note]),
        ...(selfTest?.passed === false
          ? ['This model follows instructions inside what it grades, or calls a wrong answer perfect. Do not rely on its grades.']
          : []),
      ],
      costUsd: facts.isPriced ? charged.usd : null,
      createdAt: isoOf(row.createdAt),
      startedAt: isoOf(row.startedAt),
      endedAt: isoOf(row.endedAt),
    }
  }
  const itemView = (row: RunRow, item: ItemRow): AnswerItem => {
    const { no, hash, traceId, title, prompt, response, other, findings, check, rubric, verdict, why } = item
    const grades = store.gradesOf(row, no)
    return {
      id: `${row.id}-${no}`,
      no,
      traceId,
      title,
      prompt,
      response,
      other,
      findings,
      check,
      rubric: rubric?.task ?? null,
      verdict,
      why: why ?? grades.find(({ metric }) => metric === ANSWER)?.error ?? null,
      comparison: row.kind === 'compare' ? comparedIn(grades) : null,
      scores: grades.filter(({ metric }) => metric !== ANSWER).map((one) => scoreView(row, one)),
      labels: hash === null ? [] : store.labels(hash),
    }
  }

  return { status: statusOf, run: view, item: itemView, comparisonOf: (row: RunRow, no: number) => comparedIn(store.gradesOf(row, no)) }
}

/** What both orders say. */
function comparedIn(grades: readonly GradeRow[]) {
  const raw = (repeat: number) =>
    preferenceOf(grades.find((one) => one.metric === COMPARISON && one.repeat === repeat)?.raw ?? null, repeat)
  return verdictOf(raw(0), raw(1))
}

const scoreView = (row: Pick<RunRow, 'facts'>, one: GradeRow) => ({
  metric: one.metric,
  repeat: one.repeat,
  score: one.metric === COMPARISON ? null : scoreOf(one.raw),
  raw: one.raw,
  reasoning: one.reasoning,
  evidence: one.evidence,
  model: row.facts.labels.model ?? '',
  error: one.error,
  text: one.text,
  rubric: row.facts.rubrics[one.metric]?.version ?? null,
  cached: one.isCached,
})
