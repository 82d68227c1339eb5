import { own } from '#contracts/lookup.ts'
import {
  ProviderError,
  withRetries,
  type ClearedRequest,
  type Completion,
  type Limiter,
  type ModelClient,
  type Purse,
} from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performAll } from '#server/runs/pool.ts'
import { unwrap, rejectionOfVariant, rejectionOfTask } from './check.ts'
import { maxTokensOf } from './request.ts'
import { restore } from './restore.ts'
import { NO_PROGRESS, type AugmentStore, type Progress, type Run } from './store.ts'
import type { Subject, Subjects } from './subject.ts'
import { variantId } from './variants.ts'

/** Consecutive failures that stop the run. */
const MAX_FAILURES = 5

export interface AskOptions {
  run: Run & { total: number }
  client: ModelClient<ClearedRequest>
  isPriced: boolean
  limiter: Limiter
  concurrency: number
  purse: Purse
  policyHash: string
  firstWaitMs?: number
  /** True if a text contains a secret, other than our replacement labels. */
  holdsSecret: (text: string) => boolean
  /** Yields the subjects of one session at a time. */
  subjects: (signal: AbortSignal) => AsyncIterable<Subjects>
  /** Called in the transaction that stores a variant of this session. */
  onVariantAdded: (traceId: string) => void
}

type Ask = Subject['asks'][number]
export interface Outcome {
  state: 'completed' | 'budget' | 'failed'
  message: string | null
}

/** The remaining budget does not cover this request; smaller or already answered ones may still succeed. */
class BudgetTooSmall extends Error {}

/** Stops the whole run. */
class RunStopped extends Error {
  readonly state: 'budget' | 'failed'
  constructor(state: 'budget' | 'failed', message: string) {
    super(message)
    this.state = state
  }
}

/**
 * Gets an answer to every request of a run, from the store or from the model within the budget. A charge is stored before
 * its request is sent; an answer is stored in one transaction with its evaluation.
 */
export async function askAll(
  { tx }: Pick<Core, 'tx'>,
  store: AugmentStore,
  options: AskOptions,
  { signal, progress: onProgress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<Outcome> {
  const { run, purse, limiter, client, isPriced } = options
  const progress: Progress = structuredClone(NO_PROGRESS)
  let failures = 0
  let settled = Promise.withResolvers<void>()
  let inFlight = 0
  let unpaid = 0

  const recordRequest = (change: (progress: Progress) => void) => {
    change(progress)
    progress.done += 1
    store.save(run.id, progress)
  }
  const reportProgress = () => {
    const cost = isPriced ? `${purse.spent.usd.toFixed(4)} USD` : `${purse.spent.tokens} tokens`
    onProgress({
      phase: `generating ${run.plan.make}`,
      done: progress.done,
      total: run.total,
      unit: run.plan.make,
      message: `${progress.kept} kept, ${cost} so far`,
    })
  }

  /** Adds a variant if the answer is usable. Call in a transaction. */
  const acceptAnswer = (subject: Subject, ask: Ask, completion: Pick<Completion, 'text' | 'stopped'>, fromStore: boolean) => {
    const id = variantId(subject.traceId, ask.key)
    const prompt = restore(unwrap(completion.text), subject.swaps)
    const { make } = run.plan
    const existing = make === 'tasks' ? store.otherTasks(subject.traceId, id) : store.otherVariants(subject.exampleId, id)
    const comparison = { ...subject, existing, stopped: completion.stopped }
    const rejection = make === 'tasks' ? rejectionOfTask(prompt, comparison) : rejectionOfVariant(prompt, comparison)
    const reason = rejection ?? (options.holdsSecret(completion.text) ? 'secret' : null)
    if (reason === null) {
      const { traceId, exampleId: parentId, sourceHash: parentHash } = subject
      store.addVariant({ id, make, traceId, parentId, parentHash, prompt, provider: run.provider, model: run.model, runId: run.id })
      options.onVariantAdded(traceId)
    }
    recordRequest((all) => {
      if (fromStore) all.cached += 1
      if (reason === null) all.kept += 1
      else all.rejected = withOneMore(all.rejected, reason)
    })
  }

  /** Waits while sent requests reserve budget that they may not use. */
  const reserve = async (ask: Ask, stop: AbortSignal) => {
    for (;;) {
      const charge = purse.reserve(maxTokensOf(ask.request))
      if (charge) return charge
      if (inFlight === 0) throw new BudgetTooSmall()
      await settled.promise
      stop.throwIfAborted()
    }
  }

  /** `stop` stops unsent requests only: sent ones may be charged, so they are waited for. */
  const attempt = async (ask: Ask, stop: AbortSignal): Promise<{ completion: Completion; charge: { usd: number; tokens: number } }> => {
    const charge = await reserve(ask, stop)
    inFlight += 1
    store.reserve(run.id, ask.key, charge)
    try {
      return { completion: await client.ask(ask.request, signal), charge }
    } catch (error) {
      // An interrupted request may have been charged, so its amount stays reserved; a refused one was not.
      if (error instanceof ProviderError && !error.mayCost) {
        purse.release(charge)
        store.settle(run.id, ask.key, charge, { input: 0, output: 0 }, 0)
      }
      throw error
    } finally {
      inFlight -= 1
      settled.resolve()
      settled = Promise.withResolvers()
    }
  }

  const answerRequest = async ({ subject, ask }: { subject: Subject; ask: Ask }, stop: AbortSignal) => {
    const storedAnswer = store.answer(ask.key)
    if (storedAnswer) return tx(() => acceptAnswer(subject, ask, storedAnswer, true))
    try {
      const retry = { signal: stop, ...(options.firstWaitMs !== undefined && { firstWaitMs: options.firstWaitMs }) }
      const { completion, charge } = await withRetries(() => limiter.run(() => attempt(ask, stop), stop), retry)
      failures = 0
      const { usd } = purse.settle(charge, completion.usage)
      const { provider, model } = run
      const { exampleId, traceId } = subject
      tx(() => {
        store.settle(run.id, ask.key, charge, completion.usage, usd)
        if (store.isForgotten(traceId))
          return recordRequest((all) => (all.failed['session removed'] = (all.failed['session removed'] ?? 0) + 1))
        store.addAnswer({
          ...ask,
          make: run.plan.make,
          exampleId,
          traceId,
          provider,
          model,
          policyHash: options.policyHash,
          ...completion,
        })
        acceptAnswer(subject, ask, completion, false)
      })
    } catch (error) {
      stop.throwIfAborted()
      if (error instanceof BudgetTooSmall) {
        unpaid += 1
        return
      }
      if (!(error instanceof ProviderError)) throw error
      failures += 1
      if (error.kind === 'unauthorized' || failures >= MAX_FAILURES) throw new RunStopped('failed', error.message)
      recordRequest((all) => (all.failed = withOneMore(all.failed, error.message)))
    }
    if (purse.overdrawn)
      throw new RunStopped('budget', 'The provider charged for more tokens than one request can hold, so the run was stopped.')
  }

  const recordPassedOver = ({ passedOver }: Subjects) => {
    for (const { reason, requests } of passedOver)
      for (let nth = 0; nth < requests; nth += 1) recordRequest((all) => (all.failed = withOneMore(all.failed, reason)))
  }
  async function* allRequests(stop: AbortSignal) {
    for await (const batch of options.subjects(stop)) {
      recordPassedOver(batch)
      for (const subject of batch.subjects) for (const ask of subject.asks) yield { subject, ask }
    }
  }

  let requests: ReturnType<typeof allRequests> | null = null
  reportProgress()
  try {
    await performAll({
      places: () => options.concurrency,
      async next(stop) {
        requests ??= allRequests(stop)
        const { value } = await requests.next()
        return value ?? null
      },
      async perform(one, stop) {
        await answerRequest(one, stop)
        reportProgress()
      },
      signal,
    })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof RunStopped) return { state: error.state, message: error.message }
    throw error
  }
  if (unpaid > 0)
    return { state: 'budget', message: `The budget does not cover ${unpaid === 1 ? 'one more request' : `${unpaid} more requests`}.` }
  return { state: 'completed', message: null }
}

/** Reasons come from providers, so one may be `__proto__`: a computed name always creates an own property. */
const withOneMore = (counts: Record<string, number>, reason: string) => ({ ...counts, [reason]: (own(counts, reason) ?? 0) + 1 })
