import { own } from '#contracts/lookup.ts'
import type { AugmentRun } from '#contracts/entities/augment.ts'
import { AppError } from '#contracts/errors.ts'
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
import { cleaned, reasonAgainst, reasonAgainstTask } from './check.ts'
import { boundOf } from './request.ts'
import { restore } from './restore.ts'
import { NO_PROGRESS, type AugmentStore, type Progress, type Run } from './store.ts'
import type { Subject, Subjects } from './subject.ts'
import { variantId } from './variants.ts'

/** After this many failures in a row no more requests are sent. */
const MAX_FAILURES = 5

export interface Asking {
  run: Run & { total: number }
  client: ModelClient<ClearedRequest>
  isPriced: boolean
  limiter: Limiter
  concurrency: number
  purse: Purse
  policyHash: string
  firstWaitMs?: number
  /** Whether a text holds a secret that is not a label of ours. */
  holdsSecret: (text: string) => boolean
  /** The subjects of the run, session by session. */
  subjects: (signal: AbortSignal) => AsyncIterable<Subjects>
  /** In the transaction that stores a variant of this session. */
  added: (traceId: string) => void
}

type Ask = Subject['asks'][number]
export type Outcome = Pick<AugmentRun, 'state' | 'message'>

/** What is left of the budget does not cover this request; others may be smaller, or answered already. */
class Unpaid extends Error {}

/** Stops the run, with the reason for it. */
class Stop extends Error {
  readonly state: 'budget' | 'failed'
  constructor(state: 'budget' | 'failed', message: string) {
    super(message)
    this.state = state
  }
}

/**
 * Asks for every variant of a run: answers that are stored already are taken from there, all others are paid for from
 * the purse. A charge is stored before its request is sent, and the answer with what became of it in one transaction.
 */
export async function askAll(
  { tx }: Pick<Core, 'tx'>,
  store: AugmentStore,
  asking: Asking,
  { signal, progress: onProgress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<Outcome> {
  const { run, purse, limiter, client, isPriced } = asking
  const progress: Progress = structuredClone(NO_PROGRESS)
  const stopping = new AbortController()
  /** Ends what has not been sent yet; what is under way is waited for, as it may be charged. */
  const stop = AbortSignal.any([signal, stopping.signal])
  let failures = 0
  let settled = Promise.withResolvers<void>()
  let inFlight = 0
  let unpaid = 0

  const step = (change: (progress: Progress) => void) => {
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

  /** In a transaction: what an answer is worth. */
  const acceptAnswer = (subject: Subject, ask: Ask, completion: Pick<Completion, 'text' | 'stopped'>, fromStore: boolean) => {
    const id = variantId(subject.traceId, ask.key)
    const prompt = restore(cleaned(completion.text), subject.swaps)
    const { make } = run.plan
    const others = make === 'tasks' ? store.tasks(subject.traceId, id) : store.prompts(subject.exampleId, id)
    const against = { ...subject, others, stopped: completion.stopped }
    const unfit = make === 'tasks' ? reasonAgainstTask(prompt, against) : reasonAgainst(prompt, against)
    const reason = unfit ?? (asking.holdsSecret(completion.text) ? 'secret' : null)
    if (reason === null) {
      const { traceId, exampleId: parentId, sourceHash: parentHash } = subject
      store.addVariant({ id, make, traceId, parentId, parentHash, prompt, provider: run.provider, model: run.model, runId: run.id })
      asking.added(traceId)
    }
    step((all) => {
      if (fromStore) all.cached += 1
      if (reason === null) all.kept += 1
      else all.rejected = withOneMore(all.rejected, reason)
    })
  }

  /** Waits while requests under way hold what may be left over. */
  const reserve = async (ask: Ask) => {
    for (;;) {
      const charge = purse.reserve(boundOf(ask.request))
      if (charge) return charge
      if (inFlight === 0) throw new Unpaid()
      await settled.promise
      stop.throwIfAborted()
    }
  }

  const attempt = async (ask: Ask): Promise<{ completion: Completion; charge: { usd: number; tokens: number } }> => {
    const charge = await reserve(ask)
    inFlight += 1
    store.reserve(run.id, ask.key, charge)
    try {
      return { completion: await client.ask(ask.request, signal), charge }
    } catch (error) {
      // What broke off may have been charged: it stays reserved. A refusal was not.
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

  const handle = async (subject: Subject, ask: Ask) => {
    const known = store.answer(ask.key)
    if (known) return tx(() => acceptAnswer(subject, ask, known, true))
    try {
      const retry = { signal: stop, ...(asking.firstWaitMs !== undefined && { firstWaitMs: asking.firstWaitMs }) }
      const { completion, charge } = await withRetries(() => limiter.run(() => attempt(ask), stop), retry)
      failures = 0
      const { usd } = purse.settle(charge, completion.usage)
      const { provider, model } = run
      const { exampleId, traceId } = subject
      tx(() => {
        store.settle(run.id, ask.key, charge, completion.usage, usd)
        if (store.isForgotten(traceId)) return step((all) => (all.failed['session removed'] = (all.failed['session removed'] ?? 0) + 1))
        store.addAnswer({
          ...ask,
          make: run.plan.make,
          exampleId,
          traceId,
          provider,
          model,
          policyHash: asking.policyHash,
          ...completion,
        })
        acceptAnswer(subject, ask, completion, false)
      })
    } catch (error) {
      stop.throwIfAborted()
      if (error instanceof Unpaid) {
        unpaid += 1
        return
      }
      if (!(error instanceof ProviderError)) throw error
      failures += 1
      if (error.kind === 'unauthorized' || failures >= MAX_FAILURES) throw new Stop('failed', error.message)
      step((all) => (all.failed = withOneMore(all.failed, error.message)))
    }
    if (purse.overdrawn) throw new Stop('budget', 'The provider charged for more tokens than one request can hold, so the run was stopped.')
  }

  const passOver = ({ passedOver }: Subjects) => {
    for (const { reason, requests } of passedOver)
      for (let nth = 0; nth < requests; nth += 1) step((all) => (all.failed = withOneMore(all.failed, reason)))
  }
  async function* tasks() {
    for await (const found of asking.subjects(stop)) {
      passOver(found)
      for (const subject of found.subjects) for (const ask of subject.asks) yield { subject, ask }
    }
  }

  const queue = tasks()
  const work = async () => {
    try {
      for (let next = await queue.next(); !next.done; next = await queue.next()) {
        stop.throwIfAborted()
        await handle(next.value.subject, next.value.ask)
        reportProgress()
      }
    } catch (error) {
      stopping.abort(error)
      throw error
    }
  }
  reportProgress()
  const ends = await Promise.allSettled(Array.from({ length: asking.concurrency }, work))
  signal.throwIfAborted()
  const reason: unknown = stopping.signal.reason
  if (reason instanceof Stop) return { state: reason.state, message: reason.message }
  if (ends.some(({ status }) => status === 'rejected')) throw reason instanceof Error ? reason : new AppError('internal')
  if (unpaid > 0)
    return { state: 'budget', message: `The budget does not cover ${unpaid === 1 ? 'one more request' : `${unpaid} more requests`}.` }
  return { state: 'completed', message: null }
}

/** Reasons come from providers: a computed name is a property of its own, whatever it is. */
const withOneMore = (counts: Record<string, number>, reason: string) => ({ ...counts, [reason]: (own(counts, reason) ?? 0) + 1 })
