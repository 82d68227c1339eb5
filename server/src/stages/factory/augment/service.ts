import { lookup } from '#contracts/lookup.ts'
import { randomBytes } from 'node:crypto'
import type { AugmentEstimate, AugmentPlan, AugmentRun, Budget, FactoryJob } from '#contracts/entities/augment.ts'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import { SECRET_TYPES } from '#contracts/entities/privacy.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import { createLimiter, createPurse, type ClearedRequest, type ModelClient } from '#server/adapters/llm/index.ts'
import { requestCost, type TokenPrice } from '#server/prices/request-cost.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { createInJobs } from '#server/runs/in-jobs.ts'
import { openGate, type GateInput } from '#server/stages/privacy/index.ts'
import { toArchiveError } from '../archive-error.ts'
import { pseudonymKey } from '../versions/build.ts'
import { estimate as tokensOf } from '../examples/tokens.ts'
import { maxTokensOf } from './request.ts'
import { askAll, type Outcome } from './run.ts'
import { candidates, createAugmentStore, type Candidate, type ChosenExample } from './store.ts'
import type { Subjects, SubjectsInput } from './subject.ts'
import { countRequests, groupBySession, planRequests, type SessionRequests } from './request-plan.ts'

const QUERY_JOB = new URL('../../../db/query.job.ts', import.meta.url)
const SUBJECTS_JOB = new URL('./subjects.job.ts', import.meta.url)
/** An estimate reads this many sessions and extrapolates to the rest. */
const SAMPLED_SESSIONS = 20
const SHOWN_SAMPLES = 3
/** The least output of a new task: it is self-contained even if its pattern is short. */
const TASK_TOKENS = 80
/** An estimate for English and code. */
const CHARS_PER_TOKEN = 3.6

export interface AugmentDeps {
  providers: {
    open(
      id: ProviderId | undefined,
      model: string | undefined,
    ): {
      id: ProviderId
      model: string
      price: TokenPrice | null
      client: ModelClient<ClearedRequest>
      pace: { perMinute: number; concurrency: number }
    }
  }
  gateInput: (purpose: string) => GateInput
  /** Call in the transaction that adds a variant of this session: the review table does not have it yet. */
  markStale: (traceId: string) => void
  /** Rebuilds the review table's rows of stale sessions. */
  refresh: () => Promise<void>
}

export type AugmentService = ReturnType<typeof createAugmentService>

/** Asks the endpoint that the user chose for new tasks or variants of examples, within a budget. */
export function createAugmentService(core: Core, deps: AugmentDeps) {
  const { db, tx, jobs, workers, paths, now } = core
  const store = createAugmentStore(db, now)
  const runs = createInJobs<Outcome['state']>(core, {
    kind: 'augment',
    end: (id, { state, message }) => store.end(id, state, message),
    interruptAll: (message) => store.interrupt(message),
    interrupted: 'Bash Gym stopped during this run. Resume it to continue; requests already answered are not sent again.',
  })

  /** The same key in every run, so that equal requests are cleared to equal texts and stored answers are found again. */
  const gateInput = (): GateInput => ({
    ...deps.gateInput('augmentation'),
    key: Buffer.from(pseudonymKey(paths.datasetKey, 'augmentation', 0), 'hex'),
  })

  const query = async (statement: { sql: string; params: unknown[] }): Promise<Candidate[]> => {
    const input = { database: paths.database, statements: [statement] }
    const [rows] = await workers.run<[Candidate[]]>(QUERY_JOB, input, { lane: 'query' })
    return rows
  }

  const planSessions = async (plan: AugmentPlan) => {
    const { source } = plan
    const rows = await query('ids' in source ? candidates.named(source.ids) : candidates.filtered(source.filter))
    const passedOver: Record<string, number> = lookup()
    const countPassedOver = (reason: string, count = 1) => (passedOver[reason] = (passedOver[reason] ?? 0) + count)
    if ('ids' in source && new Set(source.ids).size > rows.length)
      countPassedOver('example not found', new Set(source.ids).size - rows.length)
    const usableExamples = rows.flatMap(({ id, trace_id, options, parent_id, state }): ChosenExample[] => {
      if (parent_id !== null) countPassedOver('already written by a model')
      else if (state === 'rejected') countPassedOver('rejected in review')
      else return [{ id, traceId: trace_id, options }]
      return []
    })
    if (usableExamples.length === 0)
      throw new AppError('nothing_to_augment', {
        message: 'No selected example can be used.',
        hint: 'Accept examples in the review first, or select others. Generated and rejected examples are not used.',
        details: { passedOver },
      })
    const byId = new Map(usableExamples.map((one) => [one.id, one]))
    const requestCounts = planRequests(
      plan,
      usableExamples.map(({ id }) => id),
    )
    return { sessions: groupBySession(requestCounts, byId), wanted: requestCounts, passedOver }
  }

  const subjectsOf = (
    plan: AugmentPlan,
    provider: ProviderId,
    model: string,
    { traceId, options, requestCounts }: SessionRequests,
    input: GateInput,
    signal?: AbortSignal,
  ) =>
    workers
      .run<Subjects>(
        SUBJECTS_JOB,
        {
          database: paths.database,
          archive: paths.archive,
          traceId,
          options: JSON.parse(options) as ExampleOptions, // written by the review pool
          make: plan.make,
          requestCounts,
          provider,
          model,
          maxOutputTokens: plan.maxOutputTokens,
          gateInput: input,
        } satisfies SubjectsInput,
        { lane: signal ? 'bulk' : 'query', ...(signal && { signal }) },
      )
      .catch((error: unknown) => Promise.reject(toArchiveError(error)))

  async function estimate(plan: AugmentPlan): Promise<AugmentEstimate> {
    const { id, model, price, client } = deps.providers.open(plan.provider, plan.model)
    const { sessions, wanted: requestCounts, passedOver } = await planSessions(plan)
    const input = gateInput()
    const sampled = sessions.slice(0, SAMPLED_SESSIONS)
    const batches = await Promise.all(sampled.map((session) => subjectsOf(plan, id, model, session, input)))
    const subjects = batches.flatMap((one) => one.subjects)
    for (const { reason } of batches.flatMap((batch) => batch.passedOver)) passedOver[reason] = (passedOver[reason] ?? 0) + 1
    const sampledCounts = sampled.flatMap((one) => one.requestCounts)
    /** Extrapolates a count in the sample to all. */
    const extrapolate = (part: number, sample: number, all: number) => (sample === all ? part : Math.round((part / sample) * all))
    const usableExamples = extrapolate(subjects.length, sampledCounts.length, requestCounts.length)
    const asks = subjects.flatMap((one) => one.asks.map((ask) => ({ ...ask, exampleId: one.exampleId, prompt: one.prompt })))
    const requests = extrapolate(asks.length, countRequests(sampledCounts), countRequests(requestCounts))
    const cached = Math.min(requests, store.countAnswered(requestCounts, plan.make, id, model, input.policyHash))
    const scale = asks.length === 0 ? 0 : (requests - cached) / asks.length
    const sum = (each: (ask: (typeof asks)[number]) => number) => Math.ceil(asks.reduce((total, ask) => total + each(ask), 0) * scale)
    const estimateTokens = (chars: number, messages: number) => tokensOf(chars, messages, CHARS_PER_TOKEN).count
    const tokens = {
      input: sum(({ request }) => estimateTokens(request.system.length + request.messages[0].content.length, 2)),
      output: sum(({ prompt }) =>
        Math.min(plan.maxOutputTokens, Math.max(estimateTokens(prompt.length, 0), plan.make === 'tasks' ? TASK_TOKENS : 0)),
      ),
    }
    const upperBound = {
      input: sum(({ request }) => maxTokensOf(request).input),
      output: sum(({ request }) => maxTokensOf(request).output),
    }
    const samples = asks
      .slice(0, SHOWN_SAMPLES)
      .map(({ exampleId, variant, request }) => ({ exampleId, variant, ...client.preview(request) }))
    return {
      provider: id,
      model,
      examples: usableExamples,
      requests,
      cached,
      passedOver: Object.entries(passedOver).map(([reason, count]) => ({ reason, count })),
      tokens: { ...tokens, exact: false },
      costUsd: requestCost(price, tokens),
      max: { tokens: upperBound.input + upperBound.output, costUsd: requestCost(price, upperBound) },
      budget: price ? 'usd' : 'tokens',
      samples,
      policyHash: input.policyHash,
    }
  }

  /** Starts or resumes a run; requests already answered cost nothing. */
  const launch = (id: string, budget: Budget): Job => {
    const run = store.run(id)!
    const opened = deps.providers.open(run.provider, run.model)
    checkBudget(budget, opened.price !== null, run.model)
    const perform = async (context: JobContext): Promise<Outcome> => {
      const input = gateInput()
      const secretGate = openGate(input)
      const secrets = () => SECRET_TYPES.reduce((sum, type) => sum + (secretGate.report().findingsByType[type] ?? 0), 0)
      const { usd, tokens, open } = store.spending(id)
      const before = { usd: usd + open.usd, tokens: tokens.input + tokens.output + open.tokens }
      const examples = new Map(
        (await query(candidates.named(run.examples))).map(({ id: example, trace_id: traceId, options }) => [
          example,
          { id: example, traceId, options },
        ]),
      )
      const requestCounts = planRequests(run.plan, run.examples)
      const missing = requestCounts.filter(({ exampleId }) => !examples.has(exampleId))
      async function* subjects(stop: AbortSignal) {
        if (missing.length > 0) yield { subjects: [], passedOver: missing.map((one) => ({ ...one, reason: 'session changed' })) }
        for (const session of groupBySession(requestCounts, examples))
          yield await subjectsOf(run.plan, run.provider, run.model, session, input, stop)
      }
      const options = {
        run: { ...run, total: countRequests(requestCounts) },
        client: opened.client,
        isPriced: opened.price !== null,
        limiter: createLimiter(opened.pace),
        concurrency: opened.pace.concurrency,
        purse: createPurse(budget, opened.price, before),
        policyHash: input.policyHash,
        holdsSecret(text: string) {
          const secretsBefore = secrets()
          secretGate.clear(text)
          return secrets() > secretsBefore
        },
        subjects,
        onVariantAdded: deps.markStale,
      }
      return askAll(core, store, options, context).finally(() => deps.refresh())
    }
    const result = (): AugmentRun => {
      const document = store.document(id)
      if (document.state !== 'failed') return document
      throw new AppError('provider_unavailable', { message: document.message ?? 'The provider returned an error.' })
    }
    return runs.begin(id, perform, { store: (job) => store.begin(id, job.id, budget), result, single: true })
  }

  return {
    estimate,
    async start(plan: AugmentPlan, budget: Budget): Promise<Job> {
      const { id: provider, model, price } = deps.providers.open(plan.provider, plan.model)
      const { wanted: requestCounts } = await planSessions(plan)
      checkBudget(budget, price !== null, model)
      const id = `aug_${randomBytes(10).toString('hex')}`
      const examples = requestCounts.map(({ exampleId }) => exampleId)
      return tx(() => {
        store.add({ id, plan, provider, model, budget, examples, total: countRequests(requestCounts), priced: price !== null })
        return launch(id, budget)
      })
    },
    resume(id: string, budget: Budget | undefined): Job {
      const run = store.run(id)
      if (!run) throw new AppError('augment_run_not_found', { message: `There is no run with the id "${id}".` })
      return launch(id, budget ?? run.budget)
    },
    list: (...input: Parameters<typeof store.list>) => store.list(...input),
    job(id: string): FactoryJob {
      const job = jobs.get(id)
      if (!job || !FACTORY_JOB_KINDS.has(job.kind)) throw new AppError('job_not_found')
      return toFactoryJob(job, store.ofJob(id))
    },
    forget: (traceId: string): void => store.forget(traceId),
    recover: runs.recover,
  }
}

const FACTORY_JOB_KINDS = new Set(['augment', 'examples', 'pairs', 'dataset', 'dataset-import'])

function toFactoryJob({ id, kind, state, progress, result, error }: Job, run: AugmentRun | null): FactoryJob {
  const excluded = (result as { excluded?: FactoryJob['rejected'] } | null)?.excluded ?? [] // results of jobs that make examples or data sets
  return {
    id,
    kind,
    state,
    done: run?.done ?? progress?.done ?? 0,
    total: run?.total ?? progress?.total ?? null,
    kept: run?.kept ?? null,
    rejected: run ? [...run.rejected, ...run.failed] : excluded,
    costUsd: run?.spentUsd ?? null,
    etaSec: progress?.etaSec ?? null,
    error,
    output: result,
  }
}

/** Every run needs a budget, and a budget in USD needs a price. */
function checkBudget({ usd, tokens }: Budget, isPriced: boolean, model: string): void {
  if (usd !== undefined && !isPriced && tokens === undefined)
    throw new AppError('budget_needed', {
      message: `The price of ${model} is unknown, so a budget in USD cannot be enforced.`,
      hint: 'Set a budget in tokens, or enter the price under Settings → Prices.',
    })
  if (usd === undefined && tokens === undefined)
    throw new AppError('budget_needed', {
      message: 'A run needs a budget.',
      hint: isPriced ? 'Set one in USD or in tokens.' : 'Set one in tokens.',
    })
}
