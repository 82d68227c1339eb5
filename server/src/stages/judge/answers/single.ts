import type { AnswerComparison, AnswerMetric, AnswerRequest, AnswerScore, ComparisonRequest } from '#contracts/entities/answer.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { CapReached, createLedger, metered } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import { throwFirst } from '#server/refusals.ts'
import { ModelLost } from '../exam/ask.ts'
import type { ExamModels } from '../exam/models.ts'
import { preferenceOf, verdictOf } from './figures.ts'
import { type Grade, grade, keyOf, type Question, scoreOf } from './grade.ts'
import { refusalsOf } from './plan.ts'
import type { MaterialReader } from './prepare.ts'
import { comparisonRubric, METRICS } from './rubrics.ts'
import type { AnswerStore } from './store.ts'

interface SingleDeps {
  core: Pick<Core, 'tx'>
  store: AnswerStore
  models: ExamModels
  material: MaterialReader
  firstWaitMs: number | undefined
}

type Asked = Grade & { isCached: boolean }

/** Grades and comparisons without a run. What was answered before is not asked again. */
export function createSingle({ core: { tx }, store, models, material, firstWaitMs }: SingleDeps) {
  const askAll = async (
    questions: readonly Question[],
    model: ExamModel,
    maxCostUsd: number | undefined,
    signal: AbortSignal,
  ): Promise<Asked[]> => {
    throwFirst('answer_run_refused', refusalsOf(models, model, maxCostUsd))
    const { identity, price } = models.find(model)
    const opened = await models.open(model, signal)
    const ledger = createLedger({ caps: { costUsd: maxCostUsd ?? null } })
    const open = { ...opened, ask: metered(opened, { ledger, price }) }
    /** Why nothing more can be asked. */
    let stopped: string | null = null
    const askOne = async (question: Question): Promise<Grade> => {
      if (stopped === null)
        try {
          return await grade(question, { open, firstWaitMs, signal })
        } catch (error) {
          if (!(error instanceof CapReached || error instanceof ModelLost)) throw error
          stopped = error.message
        }
      return { raw: null, reasoning: null, evidence: [], text: null, error: stopped, isOwed: true }
    }
    try {
      const found: Asked[] = []
      for (const question of questions) {
        const key = keyOf(question, identity)
        const known = key === null ? null : store.known(key)
        const one = known ?? (await askOne(question))
        if (known === null && key !== null) tx(() => store.addKnown(key, one))
        found.push({ ...one, isCached: known !== null })
      }
      return found
    } finally {
      await opened.close()
    }
  }

  const gradeOne = async (
    metrics: readonly AnswerMetric[],
    texts: { request: string; answer: string },
    { model, maxCostUsd }: Pick<AnswerRequest, 'model' | 'maxCostUsd'>,
    signal: AbortSignal,
  ): Promise<AnswerScore[]> => {
    const rubrics = metrics.map(store.rubric)
    const { label } = models.find(model)
    const questions = rubrics.map(({ role, task, anchors }) => ({ rubric: { role, task, anchors }, material: texts, repeat: 0 }))
    const grades = await askAll(questions, model, maxCostUsd, signal)
    return grades.map(({ raw, reasoning, evidence, text, error, isCached }, at) => ({
      metric: metrics[at]!,
      score: scoreOf(raw),
      raw,
      reasoning,
      evidence,
      model: label,
      error,
      text,
      rubric: rubrics[at]!.version,
      cached: isCached,
    }))
  }

  return {
    grade: gradeOne,
    gradeResponse: async ({ prompt, response, metrics = METRICS, ...rest }: AnswerRequest, signal: AbortSignal): Promise<AnswerScore[]> => {
      const { texts } = await material.clear([prompt, response] as const, signal)
      return gradeOne([...new Set(metrics)], { request: texts[0], answer: texts[1] }, rest, signal)
    },
    compare: async ({ prompt, a, b, model, maxCostUsd }: ComparisonRequest, signal: AbortSignal): Promise<AnswerComparison> => {
      const { texts } = await material.clear([prompt, a, b] as const, signal)
      const [request, one, other] = texts
      const question = (first: string, second: string): Question => ({
        rubric: comparisonRubric,
        material: { request, first, second },
        repeat: 0,
      })
      const grades = await askAll([question(one, other), question(other, one)], model, maxCostUsd, signal)
      const orders = grades.map(({ raw, reasoning, error, text }, repeat) => ({
        first: repeat === 0 ? ('a' as const) : ('b' as const),
        verdict: preferenceOf(raw, repeat),
        reasoning,
        error,
        text,
      }))
      return {
        ...verdictOf(orders[0]!.verdict, orders[1]!.verdict),
        orders,
        lengths: { a: a.length, b: b.length },
        model: models.find(model).label,
      }
    },
  }
}
