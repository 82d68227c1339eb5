import type { ExamCertificate, ExamModel, ExamPictures, ExamRun, ExamRunPlan, ExamRunRequest } from '#contracts/entities/exam.ts'
import { AppError } from '#contracts/errors.ts'
import { Cancelled } from '#server/jobs/stops.ts'
import { isoOf } from '#server/instant.ts'
import { sentenceOf, throwFirst } from '#server/refusals.ts'
import type { Core } from '#server/core.ts'
import { recordTrace } from '#server/spans/index.ts'
import { createQueue } from '#server/runs/queue.ts'
import type { AgentRuns } from '../../agents/index.ts'
import { solvedPairs } from '../solved/pairs.ts'
import type { createSolvedPerform } from '../solved/perform.ts'
import type { SolvedStore } from '../solved/store.ts'
import type { ReadCalls } from './ask.ts'
import { certificateOf } from './certificate.ts'
import { type ScoredPair, scorePairs } from './decide.ts'
import type { ExamModels } from './models.ts'
import { perform } from './perform.ts'
import { picturesOf } from './pictures.ts'
import { createPlanner, type PlanDeps } from './plan-run.ts'
import { createResults, OF_READING, type ResultDeps } from './result.ts'
import { createRunViews } from './run-views.ts'
import type { Answer, ExamRow, ExamStore, RunRow, Side } from './store.ts'

export interface ExamRunsDeps extends Pick<PlanDeps, 'seenBy'>, Pick<ResultDeps, 'isTrainingKnown' | 'probeOf' | 'benchmarks'> {
  core: Pick<Core, 'db' | 'tx' | 'events' | 'log' | 'now'>
  store: ExamStore
  models: ExamModels
  readCalls: ReadCalls
  solved: { store: SolvedStore; folderOf: (examId: string) => string; perform: ReturnType<typeof createSolvedPerform>; agents: AgentRuns }
  version: string
  newId: () => string
  /** Called in the transaction that decides a run of a model of the registry. */
  onDecided: (modelId: string) => void
  firstWaitMs?: number | undefined
}

const CLOSING = 'The server is stopping.'

/** Runs of exams: one at a time, in the order of their start. After a restart of the server, a run goes on with its missing answers. */
export function createExamRuns({
  core,
  store,
  models,
  seenBy,
  isTrainingKnown,
  readCalls,
  solved,
  version,
  newId,
  onDecided,
  probeOf,
  benchmarks,
  firstWaitMs,
}: ExamRunsDeps) {
  const { tx, events, log, now } = core
  const working = new Map<string, { stop: AbortController; done: Promise<void> }>()
  /** Scored answers of the runs that were looked at last, until they get another answer. */
  const scored = new Map<string, ScoredPair[]>()

  const pairsOf = (run: RunRow): ScoredPair[] => {
    const known = scored.get(run.id)
    if (known) return known
    const pairs =
      store.examOf(run).kind === 'next_calls'
        ? scorePairs(store.pairs(run))
        : solvedPairs({
            tasks: solved.store.tasks(run.examNo),
            attempts: solved.store.attempts(run.no),
            attemptOf: store.attemptOf(run),
            samples: run.request.attempts,
            isReading: run.isReading,
          })
    scored.set(run.id, pairs)
    if (scored.size > 8) scored.delete(scored.keys().next().value!)
    return pairs
  }
  const update = (id: string, itemNo: number, side: Side, answer: Answer) => {
    const pairs = scored.get(id)
    const at = pairs?.findIndex(({ item }) => item.no === itemNo) ?? -1
    if (pairs && at >= 0) pairs[at] = scorePairs([{ ...pairs[at]!, [side]: answer }])[0]!
  }
  const views = createRunViews({ store, solved, pairsOf })
  const resultOf = createResults({ store, pairsOf, isTrainingKnown, probeOf, benchmarks })
  const plan = createPlanner({ store, models, agents: solved.agents, seenBy })
  const get = (id: string): ExamRun => views.run(store.requireRun(id))
  const progress = (id: string): void => events.passing('evaluation:progress', { run: get(id) })
  const change = (id: string, values: Parameters<ExamStore['change']>[1]): void => {
    tx(() => {
      store.change(id, values)
      const run = get(id)
      if (run.state === 'queued' || run.state === 'running') events.passing('evaluation:progress', { run })
      else events.append(run.state === 'failed' ? 'evaluation:failed' : 'evaluation:complete', { run })
    })
  }

  const performTasks = (run: RunRow, exam: ExamRow, signal: AbortSignal) => {
    const { model, against } = run.request
    const hasPrice = (side: ExamModel | undefined) => side !== undefined && models.find(side).price !== null
    return solved.perform.perform(
      {
        run,
        exam,
        tasks: solved.store.tasks(exam.no),
        attemptOf: store.attemptOf(run),
        known: solved.store.attempts(run.no),
        spent: () => solved.store.spent(run.no),
        isPriced: { model: hasPrice(model), base: hasPrice(against) },
        onAttempt(attempt) {
          tx(() => {
            solved.store.addAttempt(run.no, attempt)
            store.change(run.id, { charged: { ...run.charged, usd: solved.store.spent(run.no) } })
          })
          scored.delete(run.id)
          progress(run.id)
        },
      },
      signal,
    )
  }
  const work = async (id: string, signal: AbortSignal): Promise<void> => {
    const run = store.requireRun(id)
    const exam = store.examOf(run)
    try {
      const end =
        exam.kind === 'solved_tasks'
          ? await performTasks(run, exam, signal)
          : await recordTrace(core, { source: 'exam', title: `Exam of ${run.sides.labels.model}` }, () =>
              perform(
                {
                  run,
                  store,
                  models,
                  readCalls,
                  firstWaitMs,
                  save: (charged) => store.change(id, { charged }),
                  onAnswer({ item }, side, answer) {
                    if (store.context(run.examNo, item.no) === null) return // its session was deleted meanwhile
                    tx(() => store.addAnswer(run, item.no, side, answer))
                    update(id, item.no, side, answer)
                    progress(id)
                  },
                },
                signal,
              ),
            )
      change(id, { ...end, endedAt: now() })
    } catch (error) {
      if (signal.aborted && (signal.reason as Error).message === CLOSING) return // the run goes on at the next start
      if (signal.aborted) return change(id, { state: 'cancelled', detail: null, endedAt: now() })
      if (!(error instanceof AppError)) log.error({ err: error, exam: id }, 'A run of an exam could not continue')
      change(id, { state: 'failed', detail: sentenceOf(error), endedAt: now() })
    }
  }
  const launch = async (id: string): Promise<void> => {
    const stop = new AbortController()
    change(id, { state: 'running', detail: null, queuePlace: null, startedAt: store.requireRun(id).startedAt ?? now(), endedAt: null })
    const done = work(id, stop.signal)
      .catch((error: unknown) => log.error({ err: error, exam: id }, 'The end of a run of an exam could not be written'))
      .finally(() => {
        working.delete(id)
        queue.pump()
      })
    working.set(id, { stop, done })
    return done
  }
  const queue = createQueue<RunRow>({
    tx,
    store: {
      ...store,
      require: store.requireRun,
      flag: () => null,
      setFlag: () => undefined,
      pausedBy: () => null,
      setPausedBy: () => undefined,
    },
    lane: () => ({ name: 'exam', places: 1 }),
    launch,
    changed: () => undefined,
    moved: (ids) => ids.forEach(progress),
  })
  const enqueue = (id: string, values: Partial<Pick<RunRow, 'request'>> = {}): ExamRun => {
    change(id, { ...values, state: 'queued', detail: null, queuePlace: store.nextPlace(), endedAt: null })
    queue.pump()
    return get(id)
  }

  const requireEnded = (run: RunRow): RunRow => {
    if (run.state === 'queued' || run.state === 'running') throw new AppError('exam_run_active')
    return run
  }
  return {
    get,
    view: views.run,
    items: (...asked: Parameters<typeof views.items>) => views.items(...asked),
    result: resultOf,
    plan: async (examId: string, asked: ExamRunRequest): Promise<ExamRunPlan> => (await plan(store.require(examId), asked)).plan,
    async start(examId: string, asked: ExamRunRequest): Promise<ExamRun> {
      const exam = store.require(examId)
      const planned = await plan(exam, asked)
      throwFirst('exam_run_refused', planned.plan.refusals)
      const id = newId()
      tx(() => store.addRun({ id, examNo: exam.no, ...planned }))
      progress(id)
      queue.pump()
      return get(id)
    },
    /** What a reading would cost: a run of this model alone. */
    planReading: async (examId: string, asked: ExamRunRequest): Promise<ExamRunPlan> =>
      (await plan(store.require(examId), asked, true)).plan,
    /** Starts a reading. `earlier`: what it is compared with; `added` is called in the transaction that adds it. */
    async startReading(examId: string, asked: ExamRunRequest, earlier: RunRow | null, added: (run: RunRow) => void): Promise<void> {
      const exam = store.require(examId)
      const planned = await plan(exam, asked, true)
      throwFirst('exam_run_refused', planned.plan.refusals)
      const { model, labels } = planned.sides
      const before = earlier === null ? 'nothing before' : `${earlier.sides.labels.model}, ${isoOf(earlier.createdAt).slice(0, 10)}`
      const sides = { model, base: earlier?.sides.model ?? model, labels: { model: labels.model, base: before } }
      const id = newId()
      tx(() => {
        store.addRun({ id, examNo: exam.no, ...planned, sides, isReading: true, earlier: earlier?.id ?? null })
        const run = store.requireRun(id)
        if (earlier) store.copyEarlier(earlier.no, run.no)
        added(run)
      })
      progress(id)
      queue.pump()
    },
    pairs: pairsOf,
    pictures: (run: RunRow): ExamPictures => picturesOf(pairsOf(run), run.isReading ? [] : benchmarks(run.sides.model, run.sides.base)),
    async cancel(run: RunRow): Promise<ExamRun> {
      const one = working.get(run.id)
      if (one) {
        one.stop.abort(new Cancelled('The run was cancelled.'))
        await one.done
      } else if (run.state === 'queued') change(run.id, { state: 'cancelled', queuePlace: null, endedAt: now() })
      return get(run.id)
    },
    async resume(run: RunRow, maxCostUsd: number | undefined): Promise<ExamRun> {
      if (run.state === 'queued' || run.state === 'running') return views.run(run)
      const request = { ...run.request, ...(maxCostUsd !== undefined && { maxCostUsd }) }
      throwFirst('exam_run_refused', (await plan(store.examOf(run), request, run.isReading)).plan.refusals)
      return enqueue(run.id, { request })
    },
    async repeatOwed(run: RunRow): Promise<ExamRun> {
      requireEnded(run)
      throwFirst('exam_run_refused', (await plan(store.examOf(run), run.request, run.isReading)).plan.refusals)
      tx(() => {
        // one side's verdict is thrown away with the other's failure, so that both are asked under the same conditions
        for (const { item, attempt, model, base } of pairsOf(run))
          if (model?.state === 'error' || base?.state === 'error') {
            if (run.isReading) store.keepBase(run, item.no, attempt)
            store.repeat(run, item.no, attempt + 1)
          }
      })
      scored.delete(run.id)
      return enqueue(run.id)
    },
    decide(run: RunRow): ExamCertificate {
      requireEnded(run)
      if (run.isReading) throw new AppError('exam_run_refused', { message: OF_READING.reason })
      scored.delete(run.id) // from what is stored now
      const body = certificateOf(store.examOf(run), run, pairsOf(run), resultOf(run), version)
      const before = store.certificate(run)
      if (JSON.stringify(before) !== JSON.stringify(body)) {
        tx(() => {
          store.addCertificate(run, body)
          if (run.request.model.kind === 'model') onDecided(run.request.model.model)
          events.append('evaluation:complete', { run: get(run.id) })
        })
      }
      return body
    },
    certificate(run: RunRow): ExamCertificate {
      const body = store.certificate(run)
      if (!body) throw new AppError('exam_not_decided')
      return body
    },
    forgotten: (): void => scored.clear(),
    open({ watch }: { watch: boolean }): void {
      if (!watch) return
      for (const { id } of store.active()) tx(() => store.change(id, { state: 'queued', queuePlace: store.requireRun(id).queuePlace ?? 0 })) // first, because it had begun
      queue.open()
      queue.pump()
    },
    async close(): Promise<void> {
      queue.close()
      const all = [...working.values()]
      for (const { stop } of all) stop.abort(new Error(CLOSING))
      await Promise.all(all.map(({ done }) => done))
    },
  }
}
