import type { ExamModel } from '#contracts/entities/exam.ts'
import { recordRequest } from '#server/spans/index.ts'
import { CapReached, type Charged, createLedger, metered } from '#server/adapters/llm/index.ts'
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
 * Asks both models for every item that has no answer yet, one request at a time: the candidate first, then the base, and in the next
 * item the other way round, so that both meet the same machine. Throws the reason of `signal`.
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
  try {
    for (const pair of store.pairs(run)) {
      const context = store.context(run.examNo, pair.item.no)
      const order: Side[] = pair.item.no % 2 === 0 ? ['base', 'model'] : ['model', 'base']
      for (const side of order) {
        const asked = sides[side]
        if (asked === null || pair[side] !== null || context === null) continue
        signal.throwIfAborted()
        const answer = await askItem(asked, context, { request, ...options }, signal)
        options.onAnswer(pair, side, { ...answer, attempt: pair.attempt })
        failures[side] = answer.state === 'error' ? failures[side] + 1 : 0
        if (failures[side] >= MAX_FAILURES)
          return {
            state: 'failed',
            detail: `The last ${failures[side]} requests to ${run.sides.labels[side]} got no answer: ${answer.error} Resume the run when the model answers again.`,
          }
      }
    }
    return { state: 'completed', detail: null }
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof CapReached) return { state: 'paused', detail: error.message }
    if (error instanceof ModelLost) return { state: 'failed', detail: error.message }
    throw error
  } finally {
    await Promise.all([sides.model.close(), sides.base?.close()])
  }
}
