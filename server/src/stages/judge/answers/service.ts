import type { Agreement, AnswerItem, LabelMetric, AnswerRun, AnswerRunStatus } from '#contracts/entities/answer.ts'
import type { ShadowVerdict } from '#contracts/entities/routing.ts'
import { AppError } from '#contracts/errors.ts'
import type { Core } from '#server/core.ts'
import { throwFirst } from '#server/refusals.ts'
import { createSets, type Wakes } from '#server/runs/sets.ts'
import type { GateInput } from '../../privacy/index.ts'
import { createExamModels, type ExamModelsDeps } from '../exam/models.ts'
import { createAgreements } from './agreement.ts'
import { createCases, type CasesDeps } from './cases.ts'
import { unitsOf } from './figures.ts'
import { perform } from './perform.ts'
import { modelsOf, refusalsOf } from './plan.ts'
import { createMaterial, createPrepare, type PrepareDeps } from './prepare.ts'
import { createSingle } from './single.ts'
import { createAnswerStore, type RunRow } from './store.ts'
import { createTraceEvaluation, type TraceEvaluationDeps } from './trace.ts'
import { createViews } from './views.ts'

export interface AnswerDeps
  extends ExamModelsDeps, Pick<TraceEvaluationDeps, 'sessionOf' | 'episode' | 'factsOf'>, Pick<CasesDeps, 'idsOf'> {
  gate: (purpose: string) => GateInput
  /** Shows the mean score of a session in lists; null: it has none. */
  setTraceScore: (traceId: string, score: number | null) => void
  newId: () => string
  shadowPairs: PrepareDeps['shadowPairs']
  /** A model compared an answer in the shadow with Claude's, in both orders. */
  shadowJudged: (model: string, id: string, verdict: ShadowVerdict) => void
  firstWaitMs?: number | undefined
}

/** By the better side: Claude's answer is a. */
const OF_THE_STUDENT = { a: 'worse', b: 'better', tie: 'same' } as const
/** Others wait. */
const RUNS_AT_ONCE = 2

/** Grades of answers by models: single ones, runs over sessions and own sets, and how far they agree with the user. */
export function createAnswers(core: Core, deps: AnswerDeps) {
  const { db, now, tx, events } = core
  const { newId, firstWaitMs } = deps
  const store = createAnswerStore(db, now)
  const models = createExamModels(deps)
  const material = createMaterial({ core, gate: deps.gate })

  const agreement = createAgreements(store)
  const views = createViews({ store, models, agreement, isAsking: (id) => sets.live(id) !== null })
  const single = createSingle({ core, store, models, material, firstWaitMs })

  const sets = createSets<RunRow, AnswerRunStatus, Wakes>(core, {
    noun: 'run that grades answers',
    store,
    view: views.status,
    ended: ({ done }) => done,
    onState: (run) => events.append('answers:status', { run }),
    onProgress: (run) => events.passing('answers:progress', { run }),
    live: () => ({ wake: () => undefined }),
    lane: () => ({ name: 'answers', places: RUNS_AT_ONCE }),
    perform: (row, work) =>
      perform(
        {
          core,
          store,
          models,
          firstWaitMs,
          progressed: (id) => sets.progressed(id),
          onGraded(run, { no, traceId }) {
            agreement.changed()
            const answer = run.facts.shadow?.[no]
            if (answer !== undefined) {
              const { verdict } = views.comparisonOf(run, no)
              if (verdict !== null) deps.shadowJudged(run.facts.labels.model ?? '', answer, OF_THE_STUDENT[verdict])
            }
            if (traceId !== null && run.kind === 'sessions') deps.setTraceScore(traceId, store.meanOf(run, no))
          },
        },
        row,
        work,
      ),
  })
  const get = (id: string): AnswerRun => views.run(store.require(id))
  const prepare = createPrepare({
    core,
    store,
    models,
    material,
    idsOf: (query) => deps.idsOf(query),
    newId,
    shadowPairs: (limit) => deps.shadowPairs(limit),
    add(id, insert) {
      sets.changeState(id, insert)
      return get(id)
    },
  })

  const start = (row: RunRow, maxCostUsd: number | undefined): AnswerRun => {
    if (row.state === 'running') return views.run(row)
    const request = { ...row.request, ...(maxCostUsd !== undefined && { maxCostUsd }) }
    const refusals = modelsOf(request).flatMap((model) => refusalsOf(models, model, request.maxCostUsd))
    throwFirst('answer_run_refused', refusals)
    sets.resume(row.id, () => {
      store.dropOwed(row)
      store.setRequest(row.id, request)
    })
    return get(row.id)
  }
  const traceEvaluation = createTraceEvaluation({
    core,
    material,
    ...deps,
    async goal(texts, model, signal) {
      const [score] = await single.grade(['task_completion'], texts, { model }, signal)
      const { score: found, reasoning, error, model: label, rubric } = score!
      return { score: found, reasoning, error, agreement: agreement.with(label, () => rubric)('task_completion') }
    },
  })
  const cases = createCases({ core, store, material, newId, idsOf: (query) => deps.idsOf(query) })

  return {
    store,
    cases,
    prepare,
    get,
    start,
    cancel: (id: string): Promise<AnswerRun> => sets.cancel(id).then(() => get(id)),
    list({ kind, set, cursor, limit }: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list({ kind, set, cursor, limit })
      return { items: items.map(views.run), ...page }
    },
    items(id: string, cursor: string | undefined, limit: number) {
      const row = store.require(id)
      const { items, ...page } = store.items(row, cursor, limit)
      return { items: items.map((item) => views.item(row, item)), ...page }
    },
    agreement: (): Agreement[] => agreement.all(),
    label(id: string, no: number, metric: LabelMetric, { scale, value }: { scale: 'five' | 'yes_no'; value: number | null }): AnswerItem {
      const row = store.require(id)
      const item = store.item(row, no)
      if (item?.hash == null || (metric === 'rubric' && item.rubric === null))
        throw new AppError('not_found', { message: `This run has no answer ${no} that can be labelled so.` })
      const { hash } = item
      const isValid = value === null || (scale === 'five' ? value >= 1 : value <= 1)
      if (!isValid)
        throw new AppError('invalid_request', { message: `${value} is no label: ${scale === 'five' ? '1 to 5' : '1 for yes, 0 for no'}.` })
      tx(() => store.label(hash, metric, scale, value))
      agreement.changed()
      return views.item(row, item)
    },
    gradeResponse: single.gradeResponse,
    compare: single.compare,
    evaluateTrace: traceEvaluation,
    forget(traceId: string): void {
      const runs = store.runsOf(traceId)
      store.forget(traceId)
      for (const row of runs.map(store.require))
        store.setTotal(row.id, unitsOf({ ...row, hasModel: row.request.model !== undefined }, store.outline(row)).length)
      agreement.changed()
    },
    open: sets.start,
    close: sets.close,
  }
}

export type Answers = ReturnType<typeof createAnswers>
