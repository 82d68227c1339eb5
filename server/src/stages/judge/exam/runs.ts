import type { z } from 'zod'
import type {
  ExamAnswer,
  ExamCertificate,
  ExamIdentity,
  ExamItem,
  ExamModel,
  ExamPictures,
  ExamResult,
  ExamRun,
  ExamRunPlan,
  ExamRunRequest,
} from '#contracts/entities/exam.ts'
import type { Probe } from '#contracts/entities/probe.ts'
import { TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { Cancelled } from '#server/jobs/stops.ts'
import { isoOf } from '#server/instant.ts'
import type { listExamItems } from '#contracts/routes/exams.ts'
import { requestCost } from '#server/prices/request-cost.ts'
import { sum } from '#server/statistics/means.ts'
import type { Core } from '#server/core.ts'
import { invalidCursor } from '#server/db/paging.ts'
import { createQueue } from '#server/runs/queue.ts'
import type { AgentRuns } from '../../agents/index.ts'
import { solvedPairs } from '../solved/pairs.ts'
import { type createSolvedPerform, endpointOf } from '../solved/perform.ts'
import type { SolvedStore } from '../solved/store.ts'
import { taskView } from '../solved/view.ts'
import type { ReadCalls } from './ask.ts'
import { fallIn, type GeneralResult, sameIdentity } from '../general.ts'
import { certificateOf } from './certificate.ts'
import { decide, isCompared, isOwed, type ScoredPair, scorePairs, smallestEffect, stateOf } from './decide.ts'
import type { ExamModels } from './models.ts'
import { notesOf } from './notes.ts'
import { perform } from './perform.ts'
import { picturesOf } from './pictures.ts'
import type { Answer, ExamRow, ExamStore, Known, RunRow, Side } from './store.ts'

export interface ExamRunsDeps {
  core: Pick<Core, 'tx' | 'events' | 'log' | 'now'>
  store: ExamStore
  models: ExamModels
  /** How many sessions of an exam a model of the registry was trained on, with forks and rows that are nearly the same; `isWhole`: all is known. */
  seenBy: (modelId: string, examNo: number) => Promise<{ sessions: number; isWhole: boolean }>
  isTrainingKnown: (modelId: string) => boolean
  readCalls: ReadCalls
  solved: { store: SolvedStore; folderOf: (examId: string) => string; perform: ReturnType<typeof createSolvedPerform>; agents: AgentRuns }
  version: string
  newId: () => string
  /** Called in the transaction that decides a run of a model of the registry. */
  onDecided: (modelId: string) => void
  /** The last probe of a model for its training data; null: not measured. */
  probeOf: (modelId: string) => Probe | null
  /** Benchmarks that both models answered. */
  benchmarks: (model: ExamIdentity, base: ExamIdentity) => GeneralResult[]
  firstWaitMs?: number | undefined
}

/** The sides of a reading were asked at different times. */
const OF_READING = {
  verdict: 'not_proven' as const,
  reason: 'A reading of the thermometer: the model beside its own answers of the reading before. It proves nothing about another model.',
}
const CLOSING = 'The server is stopping.'
const LEAKED = 'It is better, but its probe found that it writes phrases of its training data.'
const ESTIMATED_CHARS_PER_TOKEN = 3.6

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
  const view = (run: RunRow): ExamRun => {
    const pairs = pairsOf(run)
    const { id, name, kind } = store.examOf(run)
    const counts = (side: Side) => {
      const found = { pass: 0, fail: 0, truncated: 0, timeout_with_verdict: 0, error: 0, not_run: 0 }
      for (const pair of pairs) found[stateOf(pair[side], pair[`${side}Score`])] += 1
      return found
    }
    const certificate = store.certificate(run)
    return {
      id: run.id,
      examId: id,
      examName: name,
      kind,
      state: run.state,
      detail: run.detail,
      request: run.request,
      ...run.sides,
      isReading: run.isReading,
      earlier: run.earlier,
      items: pairs.length,
      counts: { model: counts('model'), base: counts('base') },
      owed: pairs.filter(isOwed).length,
      costUsd: run.isPriced ? run.charged.usd : null,
      verdict: certificate?.verdict ?? null,
      delta: certificate?.delta ?? null,
      createdAt: isoOf(run.createdAt),
      startedAt: isoOf(run.startedAt),
      endedAt: isoOf(run.endedAt),
    }
  }
  const get = (id: string): ExamRun => view(store.requireRun(id))
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
          : await perform(
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

  const resultOf = (run: RunRow): ExamResult => {
    const isSame = run.isReading || sameIdentity(run.sides.model, run.sides.base)
    const { request } = run
    const general = isSame ? [] : benchmarks(run.sides.model, run.sides.base)
    const modelId = request.model.kind === 'model' ? request.model.model : null
    const probe = modelId === null ? null : probeOf(modelId)
    const known = { request, sides: run.sides, general, probe, isTrainingKnown: modelId !== null && isTrainingKnown(modelId) }
    const notes = isSame ? [] : notesOf(known)
    const floor = run.isReading ? null : noiseFloorOf(run)
    if (floor === null && !isSame) notes.push('Noise floor: not measured. Run the base against itself to measure it.')
    const figures = run.isReading ? { ...decide(pairsOf(run), { isSame: true }), ...OF_READING } : decide(pairsOf(run), { isSame })
    // a model that writes its training data is not better, whatever its figures
    const certificate = store.certificate(run)
    const isLeak = figures.verdict === 'ship' && probe?.state === 'leaks'
    const fall = figures.verdict === 'ship' ? fallIn(general) : null
    const blocked = isLeak
      ? { verdict: 'refused' as const, reason: LEAKED }
      : fall === null
        ? null
        : { verdict: 'not_proven' as const, reason: fall }
    // what is decided stays as it was; what is known since then is said beside it
    if (certificate && blocked && certificate.verdict === 'ship') notes.push(`Known since it was decided: ${blocked.reason}`)
    return {
      ...figures,
      ...(certificate?.verdict !== 'ship' && blocked),
      decided: certificate !== null,
      noiseFloor: floor,
      notes,
    }
  }
  /** The last completed run of this exam in which the base met itself. */
  const noiseFloorOf = (run: RunRow): ExamResult['noiseFloor'] => {
    for (const other of store.completed(run.examNo)) {
      const { model, base } = other.sides
      if (other.id === run.id || other.isReading || !sameIdentity(model, base) || !sameIdentity(base, run.sides.base)) continue
      const { delta, intervals } = decide(pairsOf(other), { isSame: true })
      if (delta !== null) return { delta, ...intervals.clustered, run: other.id }
    }
    return null
  }

  const plan = async (
    exam: ExamRow,
    asked: ExamRunRequest,
    isReading = false,
  ): Promise<{ plan: ExamRunPlan; request: ExamRunRequest; sides: RunRow['sides']; isPriced: boolean }> => {
    const against = isReading
      ? asked.model
      : (asked.against ?? (asked.model.kind === 'model' ? { kind: 'base' as const, model: asked.model.model } : undefined))
    if (against === undefined)
      throw new AppError('exam_run_refused', {
        message: 'This model has no base here to compare it with.',
        hint: 'Name the other model: `against`.',
      })
    const [model, base] = [models.find(asked.model), models.find(against)]
    const { items, sessions } = store.sizes(exam.no)
    const refusals: ExamRunPlan['refusals'] = []
    const notes: string[] = []
    for (const one of [model, base]) if (one.missing) refusals.push(one.missing)
    const price = (one: typeof model) => (one.isOutside || one.price !== null ? one.price : { inputPerMTok: 0, outputPerMTok: 0 })
    const prices = { model: price(model), base: price(base) }
    if (asked.maxCostUsd !== undefined)
      for (const [side, label] of [
        [prices.model, model.label],
        [prices.base, base.label],
      ] as const)
        if (side === null)
          refusals.push({
            message: `The price of ${label} is not known, so the cost limit cannot be enforced.`,
            hint: 'Remove the limit, or enter the price under Settings → Prices.',
          })
    if (asked.model.kind === 'model') {
      const seen = await seenBy(asked.model.model, exam.no)
      if (seen.sessions > 0)
        refusals.push({
          message: `${model.label} was trained on ${seen.sessions} of the ${sessions} sessions of this exam, so it may know the answers.`,
          hint: 'Make an exam from sessions that this model has not seen.',
        })
      else if (!seen.isWhole) notes.push('Not verified: this model was also trained on files whose sessions are not known here.')
    } else notes.push('Not verified: what this model was trained on is not known here.')
    const isTasks = exam.kind === 'solved_tasks'
    if (exam.state !== 'ready') refusals.push({ message: 'This exam is not made yet.', hint: 'Wait until it is, or resume it.' })
    else if (items === 0) refusals.push({ message: 'This exam has no items.', hint: 'Its page says why sessions fell out.' })
    if (isTasks) refusals.push(...(await refusalsOfAgents({ ...asked, against })))
    const inputTokens = Math.ceil(store.chars(exam.no) / ESTIMATED_CHARS_PER_TOKEN)
    const most = { input: inputTokens, output: items * asked.maxTokens }
    const costs = (isReading ? [prices.model] : [prices.model, prices.base]).map((one) => requestCost(one, most))
    const sides = costs.length
    const side = (one: typeof model): ExamRunPlan['model'] => ({
      label: one.label,
      payer: one.payer,
      receiver: one.receiver,
      price: one.price && { inputPerMTok: one.price.inputPerMTok, outputPerMTok: one.price.outputPerMTok },
    })
    const smallest = smallestEffect(sessions)
    return {
      request: { ...asked, against },
      sides: { model: model.identity, base: base.identity, labels: { model: model.label, base: base.label } },
      isPriced: costs.every((cost) => cost !== null),
      plan: {
        model: side(model),
        against: side(base),
        items,
        ...(isTasks
          ? {
              requests: sides * items * asked.attempts,
              inputTokens: null,
              mostOutputTokens: null,
              mostUsd: asked.maxCostUsd ?? mostOfFree(costs),
            }
          : {
              requests: sides * items,
              inputTokens: sides * inputTokens,
              mostOutputTokens: sides * most.output,
              mostUsd: costs.every((cost) => cost !== null) ? sum(costs) : null,
            }),
        smallest,
        notes,
        refusals,
      },
    }
  }
  /** What would keep the agents of both sides from starting. */
  const refusalsOfAgents = async (request: ExamRunRequest): Promise<ExamRunPlan['refusals']> => {
    const found = new Map<string, ExamRunPlan['refusals'][number]>()
    for (const side of ['model', 'base'] as const) {
      const { endpoint, model } = endpointOf(request, side)
      const task = TaskRequest.parse({ prompt: 'a task', agent: request.agent, endpoint, ...(model !== undefined && { model }) })
      for (const one of (await solved.agents.plan(task)).refusals) found.set(one.message, one)
    }
    return [...found.values()]
  }
  const requireEnded = (run: RunRow): RunRow => {
    if (run.state === 'queued' || run.state === 'running') throw new AppError('exam_run_active')
    return run
  }
  const answerView = (run: RunRow, { item, attempt, runs, ...pair }: ScoredPair, side: Side): ExamAnswer => {
    const answer: Known = pair[side]
    const score = pair[`${side}Score`]
    return {
      state: stateOf(answer, score),
      score: score?.soft ?? null,
      text: answer === null ? null : store.textOf(run, item.no, side, attempt),
      call: answer?.call ?? null,
      error: answer?.error ?? null,
      attempt,
      ms: answer?.ms ?? null,
      runs: runs?.[side] ?? [],
    }
  }

  return {
    get,
    view,
    result: resultOf,
    plan: async (examId: string, asked: ExamRunRequest): Promise<ExamRunPlan> => (await plan(store.require(examId), asked)).plan,
    async start(examId: string, asked: ExamRunRequest): Promise<ExamRun> {
      const exam = store.require(examId)
      const planned = await plan(exam, asked)
      refuse(planned.plan)
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
      refuse(planned.plan)
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
      if (run.state === 'queued' || run.state === 'running') return view(run)
      const request = { ...run.request, ...(maxCostUsd !== undefined && { maxCostUsd }) }
      refuse((await plan(store.examOf(run), request, run.isReading)).plan)
      return enqueue(run.id, { request })
    },
    async repeatOwed(run: RunRow): Promise<ExamRun> {
      requireEnded(run)
      refuse((await plan(store.examOf(run), run.request, run.isReading)).plan)
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
    items(run: RunRow, { only, cursor, limit }: z.output<typeof listExamItems.query>) {
      const from = cursor === undefined ? 0 : Number(cursor)
      if (!Number.isInteger(from) || from < 0) throw invalidCursor()
      const compared = pairsOf(run)
        .map((pair) => ({ pair, difference: !isCompared(pair) ? null : pair.modelScore!.soft - pair.baseScore!.soft }))
        .filter(({ pair, difference }) => only === undefined || (only === 'owed' ? isOwed(pair) : kindOf(difference) === only))
        .toSorted((a, b) => (a.difference ?? 2) - (b.difference ?? 2) || a.pair.item.no - b.pair.item.no)
      const tasks = new Map(solved.store.tasks(run.examNo).map((task) => [task.no, taskView(task, solved.folderOf(store.examOf(run).id))]))
      const items = compared.slice(from, from + limit).map(({ pair, difference }): ExamItem => ({
        id: pair.item.id,
        no: pair.item.no,
        traceId: pair.item.traceId,
        repo: pair.item.repo,
        stepId: pair.item.stepId,
        recorded: pair.item.call,
        task: tasks.get(pair.item.no) ?? null,
        model: answerView(run, pair, 'model'),
        base: answerView(run, pair, 'base'),
        difference,
      }))
      return { items, nextCursor: from + limit < compared.length ? String(from + limit) : null, total: compared.length }
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

/** Nothing is paid for models on this machine. */
const mostOfFree = (costs: readonly (number | null)[]): number | null => (costs.every((cost) => cost === 0) ? 0 : null)

const kindOf = (difference: number | null) => (difference === null ? null : difference < 0 ? 'losses' : difference > 0 ? 'wins' : 'ties')

function refuse({ refusals }: ExamRunPlan): void {
  const [first] = refusals
  if (first)
    throw new AppError('exam_run_refused', {
      message: first.message,
      ...(first.hint !== null && { hint: first.hint }),
      details: { refusals },
    })
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof AppError)) return (error as Error).message
  return error.hint === undefined ? error.message : `${error.message} ${error.hint}`
}
