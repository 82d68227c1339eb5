import { lookup } from '#contracts/lookup.ts'
import { randomBytes } from 'node:crypto'
import type { AugmentEstimate, AugmentPlan, AugmentRun, Budget, FactoryJob } from '#contracts/entities/augment.ts'
import type { ExampleOptions } from '#contracts/entities/example.ts'
import { SECRET_TYPES } from '#contracts/entities/privacy.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import type { Job } from '#contracts/entities/job.ts'
import { AppError } from '#contracts/errors.ts'
import { costOf, createLimiter, createPurse, type ClearedRequest, type ModelClient, type Price } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { openGate, type GateInput } from '#server/stages/privacy/index.ts'
import { pseudonymKey } from '../build/build.ts'
import { estimate as tokensOf } from '../examples/tokens.ts'
import { boundOf } from './request.ts'
import { askAll } from './run.ts'
import { candidates, createAugmentStore, type Candidate, type Chosen } from './store.ts'
import type { Subjects, SubjectsInput, Wanted } from './subject.ts'
import { requestsOf, wantedOf } from './wanted.ts'

const QUERY_JOB = new URL('../../../db/query.job.ts', import.meta.url)
const SUBJECTS_JOB = new URL('./subjects.job.ts', import.meta.url)
/** Sessions that an estimate reads; what it says of the others follows from these. */
const SAMPLED_SESSIONS = 20
const SHOWN = 3
/** A new task is complete in itself, however short the request that it is like. */
const TASK_TOKENS = 80
/** Of English and code, in the tokenizers of today's models. An estimate. */
const CHARS_PER_TOKEN = 3.6

export interface AugmentDeps {
  providers: {
    open(
      id: ProviderId | undefined,
      model: string | undefined,
    ): {
      id: ProviderId
      model: string
      price: Price | null
      client: ModelClient<ClearedRequest>
      pace: { perMinute: number; concurrency: number }
    }
  }
  gate: (purpose: string) => GateInput
  /** In a transaction: the review table lacks a variant of this session. */
  markStale: (traceId: string) => void
  /** Makes the rows of the review table of such sessions again. */
  refresh: () => Promise<void>
}

export type AugmentService = ReturnType<typeof createAugmentService>

/** New tasks like examples, and variants of them, asked for at an endpoint that the user chose, within a budget. */
export function createAugmentService(core: Core, deps: AugmentDeps) {
  const { db, tx, jobs, workers, paths, now } = core
  const store = createAugmentStore(db, now)
  tx(() => store.interrupt('Bash Gym stopped during this run. Resume it to continue; requests already answered are not sent again.'))

  /** The same replacements in every run: answers are known again by what was asked. */
  const gate = (): GateInput => ({
    ...deps.gate('augmentation'),
    key: Buffer.from(pseudonymKey(paths.datasetKey, 'augmentation', 0), 'hex'),
  })

  const query = async (statement: { sql: string; params: unknown[] }): Promise<Candidate[]> => {
    const input = { database: paths.database, statements: [statement] }
    const [rows] = await workers.run<[Candidate[]]>(QUERY_JOB, input, { lane: 'query' })
    return rows
  }

  const choose = async (plan: AugmentPlan) => {
    const { source } = plan
    const rows = await query('ids' in source ? candidates.named(source.ids) : candidates.filtered(source.filter))
    const passed: Record<string, number> = lookup()
    const pass = (reason: string, count = 1) => (passed[reason] = (passed[reason] ?? 0) + count)
    if ('ids' in source && new Set(source.ids).size > rows.length) pass('example not found', new Set(source.ids).size - rows.length)
    const chosen = rows.flatMap(({ id, trace_id, options, parent_id, state }): Chosen[] => {
      if (parent_id !== null) pass('already written by a model')
      else if (state === 'rejected') pass('rejected in review')
      else return [{ id, traceId: trace_id, options }]
      return []
    })
    if (chosen.length === 0)
      throw new AppError('nothing_to_augment', {
        message: 'No selected example can be used.',
        hint: 'Accept examples in the review first, or select others. Generated and rejected examples are not used.',
        details: { passedOver: passed },
      })
    const byId = new Map(chosen.map((one) => [one.id, one]))
    const wanted = wantedOf(
      plan,
      chosen.map(({ id }) => id),
    )
    return { sessions: bySession(wanted, byId), wanted, passed }
  }

  const subjectsOf = (
    plan: AugmentPlan,
    provider: ProviderId,
    model: string,
    { traceId, options, wanted }: Session,
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
          wanted,
          provider,
          model,
          maxOutputTokens: plan.maxOutputTokens,
          gate: input,
        } satisfies SubjectsInput,
        { lane: signal ? 'bulk' : 'query', ...(signal && { signal }) },
      )
      .catch((error: unknown) => Promise.reject(ofArchive(error)))

  async function estimate(plan: AugmentPlan): Promise<AugmentEstimate> {
    const { id, model, price, client } = deps.providers.open(plan.provider, plan.model)
    const { sessions, wanted, passed } = await choose(plan)
    const input = gate()
    const sampled = sessions.slice(0, SAMPLED_SESSIONS)
    const found = await Promise.all(sampled.map((session) => subjectsOf(plan, id, model, session, input)))
    const subjects = found.flatMap((one) => one.subjects)
    for (const { reason } of found.flatMap(({ passedOver }) => passedOver)) passed[reason] = (passed[reason] ?? 0) + 1
    const seen = sampled.flatMap((one) => one.wanted)
    /** Of all, what part of the sample says. */
    const ofAll = (part: number, sample: number, all: number) => (sample === all ? part : Math.round((part / sample) * all))
    const left = ofAll(subjects.length, seen.length, wanted.length)
    const asks = subjects.flatMap((one) => one.asks.map((ask) => ({ ...ask, exampleId: one.exampleId, prompt: one.prompt })))
    const requests = ofAll(asks.length, requestsOf(seen), requestsOf(wanted))
    const cached = Math.min(requests, store.answeredBefore(wanted, plan.make, id, model, input.policyHash))
    const scale = asks.length === 0 ? 0 : (requests - cached) / asks.length
    const sum = (each: (ask: (typeof asks)[number]) => number) => Math.ceil(asks.reduce((total, ask) => total + each(ask), 0) * scale)
    const guess = (chars: number, messages: number) => tokensOf(chars, messages, CHARS_PER_TOKEN).count
    const tokens = {
      input: sum(({ request }) => guess(request.system.length + request.messages[0].content.length, 2)),
      output: sum(({ prompt }) =>
        Math.min(plan.maxOutputTokens, Math.max(guess(prompt.length, 0), plan.make === 'tasks' ? TASK_TOKENS : 0)),
      ),
    }
    const most = { input: sum(({ request }) => boundOf(request).input), output: sum(({ request }) => boundOf(request).output) }
    const samples = asks.slice(0, SHOWN).map(({ exampleId, variant, request }) => ({ exampleId, variant, ...client.preview(request) }))
    return {
      provider: id,
      model,
      examples: left,
      requests,
      cached,
      passedOver: Object.entries(passed).map(([reason, count]) => ({ reason, count })),
      tokens: { ...tokens, exact: false },
      costUsd: costOf(price, tokens),
      max: { tokens: most.input + most.output, costUsd: costOf(price, most) },
      budget: price ? 'usd' : 'tokens',
      samples,
      policyHash: input.policyHash,
    }
  }

  /** A run, from its beginning or from where it broke off: what is answered passes by at no cost. */
  const launch = (id: string, budget: Budget): Job => {
    const begun = Promise.withResolvers<void>()
    const run = store.run(id)!
    const opened = deps.providers.open(run.provider, run.model)
    checkBudget(budget, opened.price !== null, run.model)
    const work = async ({ signal, progress }: JobContext): Promise<AugmentRun> => {
      await begun.promise
      const input = gate()
      const checking = openGate(input)
      const secrets = () => SECRET_TYPES.reduce((sum, type) => sum + (checking.report().findingsByType[type] ?? 0), 0)
      const { usd, tokens, open } = store.spending(id)
      const before = { usd: usd + open.usd, tokens: tokens.input + tokens.output + open.tokens }
      try {
        const chosen = new Map((await query(candidates.named(run.examples))).map((one) => [one.id, one]))
        const wanted = wantedOf(run.plan, run.examples)
        const known = new Map([...chosen].map(([example, { trace_id: traceId, options }]) => [example, { id: example, traceId, options }]))
        const gone = wanted.filter(({ exampleId }) => !known.has(exampleId))
        async function* subjects(stop: AbortSignal) {
          if (gone.length > 0) yield { subjects: [], passedOver: gone.map((one) => ({ ...one, reason: 'session changed' })) }
          for (const session of bySession(wanted, known)) yield await subjectsOf(run.plan, run.provider, run.model, session, input, stop)
        }
        const outcome = await askAll(
          core,
          store,
          {
            run: { ...run, total: requestsOf(wanted) },
            client: opened.client,
            isPriced: opened.price !== null,
            limiter: createLimiter(opened.pace),
            concurrency: opened.pace.concurrency,
            purse: createPurse(budget, opened.price, before),
            policyHash: input.policyHash,
            holdsSecret(text) {
              const had = secrets()
              checking.clear(text)
              return secrets() > had
            },
            subjects,
            added: deps.markStale,
          },
          { signal, progress },
        )
        tx(() => store.end(id, outcome.state, outcome.message))
      } catch (error) {
        const stopped = signal.aborted && !/stopping/.test(String(signal.reason))
        const state = signal.aborted ? (stopped ? 'cancelled' : 'interrupted') : 'failed'
        tx(() => store.end(id, state, signal.aborted ? null : (error as Error).message))
        throw error
      } finally {
        await deps.refresh()
      }
      const document = store.document(id)
      if (document.state === 'failed')
        throw new AppError('provider_unavailable', { message: document.message ?? 'The provider returned an error.' })
      return document
    }
    const job = jobs.start('augment', work, { single: true })
    tx(() => store.begin(id, job.id, budget))
    begun.resolve()
    return job
  }

  return {
    estimate,
    async start(plan: AugmentPlan, budget: Budget): Promise<Job> {
      const { id: provider, model, price } = deps.providers.open(plan.provider, plan.model)
      const { wanted } = await choose(plan)
      checkBudget(budget, price !== null, model)
      const id = `aug_${randomBytes(10).toString('hex')}`
      const examples = wanted.map(({ exampleId }) => exampleId)
      return tx(() => {
        store.add({ id, plan, provider, model, budget, examples, total: requestsOf(wanted), priced: price !== null })
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
      if (!job || !FACTORY_KINDS.has(job.kind)) throw new AppError('job_not_found')
      return toFactoryJob(job, store.ofJob(id))
    },
    forget: (traceId: string): void => store.forget(traceId),
  }
}

interface Session {
  traceId: string
  options: string
  wanted: Wanted[]
}

/** What is wanted of each session; examples that no longer exist are left out. */
function bySession(wanted: readonly Wanted[], known: ReadonlyMap<string, Chosen>): Session[] {
  const named = wanted.flatMap((one) => {
    const example = known.get(one.exampleId)
    return example ? [{ one, example }] : []
  })
  return [...Map.groupBy(named, ({ example }) => example.traceId)].map(([traceId, list]) => ({
    traceId,
    options: list[0]!.example.options,
    wanted: list.map(({ one }) => one),
  }))
}

const FACTORY_KINDS = new Set(['augment', 'examples', 'pairs', 'dataset', 'dataset-import'])

function toFactoryJob({ id, kind, state, progress, result, error }: Job, run: AugmentRun | null): FactoryJob {
  const excluded = (result as { excluded?: FactoryJob['rejected'] } | null)?.excluded ?? [] // of examples and data sets
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

/** Without a cap nothing is sent; in USD only if a price says what a token costs. */
function checkBudget({ usd, tokens }: Budget, priced: boolean, model: string): void {
  if (usd !== undefined && !priced && tokens === undefined)
    throw new AppError('budget_needed', {
      message: `The price of ${model} is unknown, so a budget in USD cannot be enforced.`,
      hint: 'Set a budget in tokens, or enter the price under Settings → Prices.',
    })
  if (usd === undefined && tokens === undefined)
    throw new AppError('budget_needed', {
      message: 'A run needs a budget.',
      hint: priced ? 'Set one in USD or in tokens.' : 'Set one in tokens.',
    })
}

/** Errors cross threads as plain ones; a damaged archive keeps its code as their cause. */
function ofArchive(error: unknown): unknown {
  const code = error instanceof Error ? ((error.cause as { code?: unknown } | undefined)?.code ?? null) : null
  return code === 'archive_damaged' ? new AppError('archive_damaged', { message: (error as Error).message, cause: error }) : error
}
