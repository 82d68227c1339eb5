import type {
  Agreement,
  AnswerComparison,
  AnswerItem,
  AnswerMetric,
  AnswerRequest,
  AnswerRun,
  AnswerRunStatus,
  AnswerScore,
  ComparisonRequest,
} from '#contracts/entities/answer.ts'
import type { ExamModel } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import { CapReached, createLedger, metered } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import { isoOf } from '#server/instant.ts'
import { requestCost } from '#server/prices/request-cost.ts'
import { throwFirst } from '#server/refusals.ts'
import { createSets } from '#server/runs/sets.ts'
import type { Wakes } from '#server/runs/sets.ts'
import type { GateInput } from '../../privacy/index.ts'
import { ModelLost } from '../exam/ask.ts'
import { createExamModels, type ExamModelsDeps } from '../exam/models.ts'
import { agreements, LABELS_NEEDED } from './agreement.ts'
import { createCases, type CasesDeps } from './cases.ts'
import { familyNote } from './families.ts'
import { caseFigures, COMPARISON, comparisonFigures, metricFigures, preferenceOf, selfTestOf, unitsOf, verdictOf } from './figures.ts'
import { charsOf, type Grade, grade, keyOf, mostTokens, type Question, scoreOf } from './grade.ts'
import { perform } from './perform.ts'
import { createMaterial, createPrepare } from './prepare.ts'
import { comparisonRubric, METRICS } from './rubrics.ts'
import { ANSWER, createAnswerStore, type GradeRow, type ItemRow, type RunRow } from './store.ts'
import { createTraceEvaluation, type TraceEvaluationDeps } from './trace.ts'

export interface AnswerDeps
  extends ExamModelsDeps, Pick<TraceEvaluationDeps, 'sessionOf' | 'episode' | 'factsOf'>, Pick<CasesDeps, 'idsOf'> {
  gate: (purpose: string) => GateInput
  /** Shows the mean score of a session in lists; null: it has none. */
  setTraceScore: (traceId: string, score: number | null) => void
  newId: () => string
  firstWaitMs?: number | undefined
}

const ESTIMATED_CHARS_PER_TOKEN = 3.6

/** Grades of answers by models: single ones, runs over sessions and own sets, and how far they agree with the user. */
export function createAnswers(core: Core, deps: AnswerDeps) {
  const { db, now, tx, events } = core
  const { newId, firstWaitMs } = deps
  const store = createAnswerStore(db, now)
  const models = createExamModels(deps)
  const material = createMaterial({ core, gate: deps.gate })
  const forgotten = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM forgotten WHERE trace_id = ?')
  const isForgotten = (traceId: string) => (forgotten.get(traceId)?.n ?? 0) > 0

  const agreementWith = (model: string | null, rubricOf: (metric: string) => number | null) => {
    const all = model === null ? [] : agreements(store.labelled()).filter((one) => one.model === model)
    return (metric: string): Agreement | null => {
      if (model === null || !METRICS.includes(metric as AnswerMetric)) return null
      const found = all.filter((one) => one.metric === metric && one.rubric === rubricOf(metric)).toSorted((a, b) => b.labels - a.labels)
      return found[0] ?? { metric, model, rubric: rubricOf(metric), scale: 'five', labels: 0, needed: LABELS_NEEDED, state: 'not_measured', kappa: null, low: null, high: null, ac1: null } // prettier-ignore
    }
  }

  const statusOf = (row: RunRow): AnswerRunStatus => {
    const { id, title, state, detail, total } = row
    return { id, title, state: state === 'stopped' && row.startedAt === null ? 'prepared' : state, detail, total, ...store.counts(row) }
  }
  const priceOf = (model: ExamModel) => {
    const found = models.find(model)
    return found.isOutside || found.price !== null ? found.price : { inputPerMTok: 0, outputPerMTok: 0 }
  }
  const planOf = (row: RunRow): AnswerRun['plan'] => {
    const { request, facts } = row
    const outline = store.outline(row)
    const had = new Set(store.grades(row).map(({ itemNo, metric, repeat }) => `${itemNo} ${metric} ${repeat}`))
    const left = unitsOf({ ...row, hasModel: request.model !== undefined }, outline).filter(
      ({ itemNo, metric, repeat }) => !had.has(`${itemNo} ${metric} ${repeat}`),
    )
    const sides = [
      ...(request.source.kind === 'set'
        ? [{ model: request.source.answerer, units: left.filter(({ metric }) => metric === ANSWER), output: request.maxTokens }]
        : []),
      ...(request.model ? [{ model: request.model, units: left.filter(({ metric }) => metric !== ANSWER), output: mostTokens }] : []),
    ]
    const sizes = new Map(outline.map((item) => [item.no, item]))
    const overhead = charsOf({ rubric: comparisonRubric, material: { request: '', answer: '' }, repeat: 0 })
    const planned = sides.map(({ model, units, output }) => {
      const chars = units.reduce((sum, { itemNo, metric }) => {
        const size = sizes.get(itemNo)
        const texts = size
          ? size.promptChars +
            (metric === ANSWER ? 0 : (size.answerChars ?? request.maxTokens * ESTIMATED_CHARS_PER_TOKEN) + (size.otherChars ?? 0))
          : 600
        return sum + texts + (metric === ANSWER ? 0 : overhead)
      }, 0)
      const tokens = { input: Math.ceil(chars / ESTIMATED_CHARS_PER_TOKEN), output: units.length * output }
      return {
        ...tokens,
        usd: requestCost(
          orNull(() => priceOf(model)),
          tokens,
        ),
        requests: units.length,
        found: orNull(() => models.find(model)),
      }
    })
    const sumOf = (of: (one: (typeof planned)[number]) => number) => planned.reduce((sum, one) => sum + of(one), 0)
    const together = (of: (found: ReturnType<typeof models.find>) => string) =>
      [...new Set(planned.flatMap(({ found }) => (found ? of(found) : [])))].join(' ') || null
    const findings: Record<string, number> = {}
    for (const item of outline) for (const [type, count] of Object.entries(item.findings)) findings[type] = (findings[type] ?? 0) + count
    return {
      requests: sumOf(({ requests }) => requests),
      inputTokens: sumOf(({ input }) => input),
      mostOutputTokens: sumOf(({ output }) => output),
      mostUsd: planned.every(({ usd }) => usd !== null) ? sumOf(({ usd }) => usd!) : null,
      payer: together(({ payer }) => payer),
      receiver: together(({ receiver }) => receiver),
      findings,
      leftOut: facts.leftOut,
    }
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
      plan: planOf(row),
      metrics: metricFigures(
        grades,
        outline,
        agreementWith(facts.labels.model, (metric) => facts.rubrics[metric]?.version ?? null),
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
  const itemView = (row: RunRow, item: ItemRow): AnswerItem => {
    const { no, hash, traceId, title, prompt, response, other, findings, check, verdict, why } = item
    const grades = store.gradesOf(row, no)
    const raw = (repeat: number) =>
      preferenceOf(grades.find((one) => one.metric === COMPARISON && one.repeat === repeat)?.raw ?? null, repeat)
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
      verdict,
      why: why ?? grades.find(({ metric }) => metric === ANSWER)?.error ?? null,
      comparison: row.kind === 'compare' ? verdictOf(raw(0), raw(1)) : null,
      scores: grades.filter(({ metric }) => metric !== ANSWER).map((one) => scoreView(row, one)),
      labels: hash === null ? [] : store.labels(hash),
    }
  }

  const sets = createSets<RunRow, AnswerRunStatus, Wakes>(core, {
    noun: 'run that grades answers',
    store,
    view: statusOf,
    ended: ({ done }) => done,
    onState: (run) => events.append('answers:status', { run }),
    onProgress: (run) => events.passing('answers:progress', { run }),
    live: () => ({ wake: () => undefined }),
    perform: (row, work) =>
      perform(
        {
          core,
          store,
          models,
          firstWaitMs,
          progressed: (id) => sets.progressed(id),
          onGraded(run, { no, traceId }) {
            if (traceId !== null && run.kind === 'sessions') deps.setTraceScore(traceId, store.meanOf(run, no))
          },
        },
        row,
        work,
      ),
  })
  const get = (id: string): AnswerRun => view(store.require(id))
  const prepare = createPrepare({
    core,
    store,
    models,
    material,
    idsOf: (query) => deps.idsOf(query),
    isForgotten,
    newId,
    add(id, insert) {
      sets.changeState(id, insert)
      return get(id)
    },
  })

  const start = (row: RunRow, maxCostUsd: number | undefined): AnswerRun => {
    if (row.state === 'running') return view(row)
    const request = { ...row.request, ...(maxCostUsd !== undefined && { maxCostUsd }) }
    const asked = [...(request.model ? [request.model] : []), ...(request.source.kind === 'set' ? [request.source.answerer] : [])]
    throwFirst(
      'answer_run_refused',
      asked.flatMap((model) => refusalsOf(model, request.maxCostUsd)),
    )
    sets.resume(row.id, () => {
      store.dropOwed(row)
      store.setRequest(row.id, request)
    })
    return get(row.id)
  }
  /** Why a model cannot be asked. */
  const refusalsOf = (model: ExamModel, maxCostUsd: number | undefined) => {
    const found = models.find(model)
    if (found.missing) return [found.missing]
    if (maxCostUsd === undefined || priceOf(model) !== null) return []
    return [
      {
        message: `The price of ${found.label} is not known, so the cost limit cannot be enforced.`,
        hint: 'Remove the limit, or enter the price under Settings → Prices.',
      },
    ]
  }

  /** Asks questions one after the other, without a run. What was answered before is not asked again. */
  const askAll = async (
    questions: readonly Question[],
    model: ExamModel,
    maxCostUsd: number | undefined,
    signal: AbortSignal,
  ): Promise<(Grade & { isCached: boolean })[]> => {
    throwFirst('answer_run_refused', refusalsOf(model, maxCostUsd))
    const { identity, price } = models.find(model)
    const opened = await models.open(model, signal)
    const ask = metered(opened.ask, { ledger: createLedger({ caps: { costUsd: maxCostUsd ?? null } }), price })
    try {
      const found: (Grade & { isCached: boolean })[] = []
      let stopped: string | null = null
      for (const question of questions) {
        const key = keyOf(question, identity)
        const known = store.known(key)
        const failed = (error: string) => ({ raw: null, reasoning: null, evidence: [], text: null, error, isOwed: true })
        const one = known ?? (stopped === null ? await grade(question, { open: { ...opened, ask }, firstWaitMs, signal }).catch((error: unknown) => {
          if (!(error instanceof CapReached || error instanceof ModelLost)) throw error
          stopped = error.message
          return failed(error.message)
        }) : failed(stopped)) // prettier-ignore
        if (known === null) tx(() => store.addKnown(key, one))
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
    const grades = await askAll(rubrics.map(({ role, task, anchors }) => ({ rubric: { role, task, anchors }, material: texts, repeat: 0 })), model, maxCostUsd, signal) // prettier-ignore
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

  const traceEvaluation = createTraceEvaluation({
    core,
    material,
    ...deps,
    async goal(texts, model, signal) {
      const [score] = await gradeOne(['task_completion'], texts, { model }, signal)
      const agreement = agreementWith(score!.model, () => score!.rubric)('task_completion')
      return { score: score!.score, reasoning: score!.reasoning, error: score!.error, agreement }
    },
  })
  const cases = createCases({ core, store, material, newId, idsOf: (query) => deps.idsOf(query) })

  return {
    store,
    cases,
    prepare,
    get,
    view,
    start,
    cancel: async (id: string): Promise<AnswerRun> => {
      await sets.cancel(id)
      return get(id)
    },
    list({ kind, set, cursor, limit }: Parameters<typeof store.list>[0]) {
      const { items, ...page } = store.list({ kind, set, cursor, limit })
      return { items: items.map(view), ...page }
    },
    items(id: string, cursor: string | undefined, limit: number) {
      const row = store.require(id)
      const { items, ...page } = store.items(row, cursor, limit)
      return { items: items.map((item) => itemView(row, item)), ...page }
    },
    agreement: (): Agreement[] => agreements(store.labelled()),
    label(id: string, no: number, metric: AnswerMetric, { scale, value }: { scale: 'five' | 'yes_no'; value: number | null }): AnswerItem {
      const row = store.require(id)
      const item = store.item(row, no)
      if (item?.hash == null) throw new AppError('not_found', { message: `This run has no answer ${no} that can be labelled.` })
      const { hash } = item
      const isValid = value === null || (scale === 'five' ? value >= 1 : value <= 1)
      if (!isValid)
        throw new AppError('invalid_request', { message: `${value} is no label: ${scale === 'five' ? '1 to 5' : '1 for yes, 0 for no'}.` })
      tx(() => store.label(hash, metric, scale, value))
      return itemView(row, item)
    },
    async gradeResponse({ prompt, response, metrics = METRICS, ...rest }: AnswerRequest, signal: AbortSignal): Promise<AnswerScore[]> {
      const { texts } = await material.clear([prompt, response] as const, signal)
      return gradeOne([...new Set(metrics)], { request: texts[0], answer: texts[1] }, rest, signal)
    },
    async compare({ prompt, a, b, model, maxCostUsd }: ComparisonRequest, signal: AbortSignal): Promise<AnswerComparison> {
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
    evaluateTrace: traceEvaluation,
    forget: (traceId: string) => store.forget(traceId),
    open: sets.start,
    close: sets.close,
  }
}

export type Answers = ReturnType<typeof createAnswers>

function orNull<T>(find: () => T): T | null {
  try {
    return find()
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}
