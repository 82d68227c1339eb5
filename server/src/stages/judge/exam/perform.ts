import type { ExamModel } from '#contracts/entities/exam.ts'
import { recordRequest } from '#server/spans/index.ts'
import { CapReached, type Charged, createLedger, metered } from '#server/adapters/llm/index.ts'
import { performEach } from '#server/runs/pool.ts'
import { askItem, ModelLost, type ReadCalls } from './ask.ts'
import type { ExamModels } from './models.ts'
import type { Answer, ExamStore, Pair, RunRow, Side } from './store.ts'

export interface PerformOptions {
  run: RunRow
  store: Pick<ExamStore, 'pairs' | 'context'>
  models: ExamModels
  readCalls: ReadCalls
  firstWaitMs?: number | undefined
  save: (charged: Charged) => void
  onAnswer: (pair: Pair, side: Side, answer: Answer) => void
}

export type Stop = { state: 'completed' | 'paused' | 'failed'; detail: string | null }

/** Failures in a row that end a run: the endpoint is gone. */
const MAX_FAILURES = 5

/**
 * Asks both models for every item that has no answer yet, one after the other: the candidate first, then the base, and in the next
 * item the other way round, so that both meet the same machine. Of `parallel` items at a time. Throws the reason of `signal`.
 */
export async function perform({ run, store, models, ...options }: PerformOptions, signal: AbortSignal): Promise<Stop> {
  const { request } = run
  const ledger = createLedger({ caps: { costUsd: request.maxCostUsd ?? null }, before: run.charged, save: options.save })
  const open = async (wanted: ExamModel) => {
    const opened = await models.open(wanted, signal)
    const ask = metered(opened, { ledger, price: models.find(wanted).price })
    return {
      ...opened,
      ask: (...asked: Parameters<typeof ask>) => recordRequest(opened.model ?? models.find(wanted).model, () => ask(...asked)),
    }
  }
  const sides = {
    model: await open(request.model),
    base: run.isReading ? null : await open(request.against!), // a run is stored with both
  }
  const failures = { model: 0, base: 0 }
  let stopped: Stop | null = null
  const askBoth = async (pair: Pair, stop: AbortSignal): Promise<void> => {
    const context = store.context(run.examNo, pair.item.no)
    const order: Side[] = pair.item.no % 2 === 0 ? ['base', 'model'] : ['model', 'base']
    for (const side of order) {
      const asked = sides[side]
      if (asked === null || pair[side] !== null || context === null || stopped !== null) continue
      stop.throwIfAborted()
      const answer = await askItem(asked, context, { request, ...options }, stop)
      options.onAnswer(pair, side, { ...answer, attempt: pair.attempt })
      failures[side] = answer.state === 'error' ? failures[side] + 1 : 0
      if (failures[side] >= MAX_FAILURES)
        stopped ??= {
          state: 'failed',
          detail: `The last ${failures[side]} requests to ${run.sides.labels[side]} got no answer: ${answer.error} Resume the run when the model answers again.`,
        }
    }
  }
  function* waiting(): Generator<Pair, undefined> {
    for (const pair of store.pairs(run)) if (stopped === null) yield pair
    return undefined
  }
  try {
    await performEach(waiting(), { places: () => request.parallel, signal }, async (pair, stop) => {
      try {
        await askBoth(pair, stop)
      } catch (error) {
        stop.throwIfAborted()
        if (error instanceof CapReached) stopped ??= { state: 'paused', detail: error.message }
        else if (error instanceof ModelLost) stopped ??= { state: 'failed', detail: error.message }
        else throw error
      }
    })
    return stopped ?? { state: 'completed', detail: null }
  } finally {
    await Promise.all([sides.model.close(), sides.base?.close()])
  }
}
