import type { AugmentPlan, AugmentRun, Budget } from '#contracts/entities/augment.ts'
import type { ReviewState } from '#contracts/entities/example.ts'
import type { ProviderId } from '#contracts/entities/provider.ts'
import { isoOf } from '#server/instant.ts'
import type { Charge, Completion } from '#server/adapters/llm/index.ts'
import type { Tokens } from '#server/prices/request-cost.ts'
import type { Database } from '#server/db/open.ts'
import { numberBefore, pageOf } from '#server/db/paging.ts'
import type { RequestCount } from './subject.ts'

export interface Progress {
  done: number
  kept: number
  cached: number
  rejected: Record<string, number>
  failed: Record<string, number>
}
export const NO_PROGRESS: Progress = { done: 0, kept: 0, cached: 0, rejected: {}, failed: {} }

export interface Run {
  id: string
  state: AugmentRun['state']
  plan: AugmentPlan
  provider: ProviderId
  model: string
  budget: Budget
  examples: string[]
}
interface RunRow {
  no: number
  id: string
  job_id: string
  state: AugmentRun['state']
  plan: string
  provider: ProviderId
  model: string
  budget: string
  examples: string
  total: number
  progress: string
  priced: 0 | 1
  message: string | null
  created_at: number
  ended_at: number | null
}

/** An accepted answer of a model: the request of an example in other words, or a new one like it. */
export interface Variant {
  id: string
  make: AugmentPlan['make']
  traceId: string
  parentId: string
  parentHash: string
  prompt: string
  provider: ProviderId
  model: string
  runId: string
}
export interface Answer {
  key: string
  make: AugmentPlan['make']
  traceId: string
  exampleId: string
  variant: number
  provider: ProviderId
  model: string
  policyHash: string
  text: string
  stopped: Completion['stopped']
}
export interface ChosenExample {
  id: string
  traceId: string
  options: string
}
export interface Candidate {
  id: string
  trace_id: string
  options: string
  parent_id: string | null
  state: ReviewState
}

export type AugmentStore = ReturnType<typeof createAugmentStore>

const CANDIDATES = `SELECT * FROM (
  SELECT e.id, e.trace_id, e.ord, e.parent_id, s.options, t.repo,
    coalesce((SELECT state FROM example_reviews r WHERE r.example_id = e.id AND r.undone_at IS NULL ORDER BY r.no DESC LIMIT 1), 'proposed') AS state
  FROM examples e JOIN session_heads t ON t.id = e.trace_id JOIN example_sources s ON s.trace_id = e.trace_id
)`

/** Statements that select examples; for a worker, because there may be a hundred thousand of them. */
export const candidates = {
  named: (ids: readonly string[]) => ({
    sql: `${CANDIDATES} WHERE id IN (SELECT value FROM json_each(?)) ORDER BY trace_id, ord`,
    params: [JSON.stringify(ids)],
  }),
  filtered: ({ state, trace, repo }: { state: readonly string[]; trace?: string | undefined; repo?: string | undefined }) => ({
    sql: `${CANDIDATES} WHERE state IN (SELECT value FROM json_each(?)) AND (? IS NULL OR trace_id = ?) AND (? IS NULL OR repo = ? COLLATE NOCASE)
      ORDER BY trace_id, ord`,
    params: [JSON.stringify(state), trace ?? null, trace ?? null, repo ?? null, repo ?? null],
  }),
}

/** The tables of augmentation. Synchronous, in the caller's transaction. */
export function createAugmentStore(db: Database, now: () => number) {
  const addRun = db.prepare(
    `INSERT INTO augment_runs (id, job_id, state, plan, provider, model, budget, examples, total, progress, priced, created_at)
     VALUES (@id, '', 'running', @plan, @provider, @model, @budget, @examples, @total, @progress, @priced, @at)`,
  )
  const runById = db.prepare<[string], RunRow>('SELECT * FROM augment_runs WHERE id = ?')
  const runByJob = db.prepare<[string], RunRow>('SELECT * FROM augment_runs WHERE job_id = ?')
  const runs = db.prepare<[number, number], RunRow>('SELECT * FROM augment_runs WHERE no < ? ORDER BY no DESC LIMIT ?')
  const countRuns = db.prepare<[], { n: number }>('SELECT count(*) AS n FROM augment_runs')
  const begin = db.prepare(
    "UPDATE augment_runs SET job_id = ?, state = 'running', budget = ?, progress = ?, message = NULL, ended_at = NULL WHERE id = ?",
  )
  const setProgress = db.prepare('UPDATE augment_runs SET progress = ? WHERE id = ?')
  const end = db.prepare('UPDATE augment_runs SET state = ?, message = ?, ended_at = ? WHERE id = ?')
  const interrupt = db.prepare("UPDATE augment_runs SET state = 'interrupted', message = ?, ended_at = ? WHERE state = 'running'")

  const reserve = db.prepare(
    `INSERT INTO augment_charges (run_id, key, input, output, usd, open_tokens, open_usd) VALUES (?, ?, 0, 0, 0, ?, ?)
     ON CONFLICT DO UPDATE SET open_tokens = open_tokens + excluded.open_tokens, open_usd = open_usd + excluded.open_usd`,
  )
  const settle = db.prepare(
    `UPDATE augment_charges SET input = input + ?, output = output + ?, usd = usd + ?, open_tokens = open_tokens - ?,
       open_usd = CASE WHEN open_tokens = ? THEN 0 ELSE open_usd - ? END WHERE run_id = ? AND key = ?`,
  )
  const chargedSoFar = db.prepare<[string], { input: number; output: number; usd: number; open_tokens: number; open_usd: number }>(
    `SELECT coalesce(sum(input), 0) AS input, coalesce(sum(output), 0) AS output, coalesce(sum(usd), 0.0) AS usd,
       coalesce(sum(open_tokens), 0) AS open_tokens, coalesce(sum(open_usd), 0.0) AS open_usd
     FROM augment_charges WHERE run_id = ?`,
  )

  const answer = db.prepare<[string], { text: string; stopped: Completion['stopped'] }>(
    'SELECT text, stopped FROM augment_answers WHERE key = ?',
  )
  const addAnswer = db.prepare(
    `INSERT OR IGNORE INTO augment_answers (key, made, trace_id, example_id, variant, provider, model, policy_hash, text, stopped, at)
     VALUES (@key, @make, @traceId, @exampleId, @variant, @provider, @model, @policyHash, @text, @stopped, @at)`,
  )
  const countAnswered = db.prepare<[string, string, string, string, string], { n: number }>(
    `SELECT count(DISTINCT a.example_id || '/' || a.variant) AS n
     FROM json_each(?) wanted JOIN augment_answers a ON a.example_id = wanted.value ->> 0 AND a.variant <= wanted.value ->> 1
     WHERE a.made = ? AND a.provider = ? AND a.model = ? AND a.policy_hash = ?`,
  )
  const forgotten = db.prepare<[string], { n: number }>('SELECT count(*) AS n FROM forgotten WHERE trace_id = ?')
  const addVariant = db.prepare(
    `INSERT OR REPLACE INTO example_variants (id, made, trace_id, parent_id, parent_hash, prompt, provider, model, run_id, created_at)
     VALUES (@id, @make, @traceId, @parentId, @parentHash, @prompt, @provider, @model, @runId, @at)`,
  )
  const prompts = db.prepare<[string, string], { prompt: string }>(
    "SELECT prompt FROM example_variants WHERE parent_id = ? AND id <> ? AND made = 'variants'",
  )
  const tasks = db.prepare<[string, string], { prompt: string }>(
    "SELECT prompt FROM example_variants WHERE trace_id = ? AND id <> ? AND made = 'tasks'",
  )
  const forgetStatements = ['augment_answers', 'example_variants'].map((table) => db.prepare(`DELETE FROM ${table} WHERE trace_id = ?`))

  const removeFromPlans = db.prepare("UPDATE augment_runs SET plan = replace(plan, @traceId, '') WHERE instr(plan, @traceId) > 0")

  const spending = (id: string): { tokens: Tokens; usd: number; open: Charge } => {
    const { input, output, usd, open_tokens, open_usd } = chargedSoFar.get(id)!
    return { tokens: { input, output }, usd, open: { tokens: open_tokens, usd: open_usd } }
  }
  const toRun = (row: RunRow): AugmentRun => {
    const { done, kept, cached, rejected, failed } = JSON.parse(row.progress) as Progress // written by `save`
    const spent = spending(row.id)
    return {
      id: row.id,
      jobId: row.job_id,
      state: row.state,
      plan: JSON.parse(row.plan) as AugmentPlan, // written by `add`
      provider: row.provider,
      model: row.model,
      budget: JSON.parse(row.budget) as Budget, // written by `begin`
      total: row.total,
      done,
      kept,
      cached,
      rejected: toReasonCounts(rejected),
      failed: toReasonCounts(failed),
      tokens: spent.tokens,
      spentUsd: row.priced === 1 ? spent.usd + spent.open.usd : null,
      unsettledTokens: spent.open.tokens,
      message: row.message,
      createdAt: isoOf(row.created_at),
      endedAt: isoOf(row.ended_at),
    }
  }

  return {
    add: (run: Omit<Run, 'state'> & { total: number; priced: boolean }) =>
      addRun.run({
        ...run,
        plan: JSON.stringify(run.plan),
        budget: JSON.stringify(run.budget),
        examples: JSON.stringify(run.examples),
        progress: JSON.stringify(NO_PROGRESS),
        priced: run.priced ? 1 : 0,
        at: now(),
      }),
    begin: (id: string, jobId: string, budget: Budget) => begin.run(jobId, JSON.stringify(budget), JSON.stringify(NO_PROGRESS), id),
    save: (id: string, progress: Progress) => setProgress.run(JSON.stringify(progress), id),
    end: (id: string, state: AugmentRun['state'], message: string | null) => end.run(state, message, now(), id),
    /** Ends runs that were running when the server stopped. */
    interrupt: (message: string) => interrupt.run(message, now()).changes,
    run(id: string): Run | null {
      const row = runById.get(id)
      return row ? { ...toRun(row), examples: JSON.parse(row.examples) as string[] } : null // written by `add`
    },
    document: (id: string): AugmentRun => toRun(runById.get(id)!),
    ofJob(jobId: string): AugmentRun | null {
      const row = runByJob.get(jobId)
      return row ? toRun(row) : null
    },
    list(cursor: string | undefined, limit: number) {
      const { items, nextCursor } = pageOf(runs.all(numberBefore(cursor), limit + 1), limit, ({ no }) => no)
      return { items: items.map(toRun), nextCursor, total: countRuns.get()!.n }
    },

    reserve: (runId: string, key: string, { tokens, usd }: Charge) => reserve.run(runId, key, tokens, usd),
    settle: (runId: string, key: string, reserved: Charge, tokens: Tokens, usd: number) =>
      settle.run(tokens.input, tokens.output, usd, reserved.tokens, reserved.tokens, reserved.usd, runId, key),
    spending,

    answer: (key: string) => answer.get(key) ?? null,
    addAnswer: (one: Answer) => addAnswer.run({ ...one, at: now() }),
    /** How many of these requests have a stored answer. */
    countAnswered: (
      requestCounts: readonly RequestCount[],
      make: AugmentPlan['make'],
      provider: ProviderId,
      model: string,
      policyHash: string,
    ): number =>
      countAnswered.get(
        JSON.stringify(requestCounts.map(({ exampleId, requests }) => [exampleId, requests])),
        make,
        provider,
        model,
        policyHash,
      )!.n,
    isForgotten: (traceId: string): boolean => forgotten.get(traceId)!.n > 0,
    addVariant: (one: Variant) => addVariant.run({ ...one, at: now() }),
    /** Prompts of the other variants of an example. */
    otherVariants: (parentId: string, exceptId: string): string[] => prompts.all(parentId, exceptId).map(({ prompt }) => prompt),
    /** The other new tasks of a session. */
    otherTasks: (traceId: string, exceptId: string): string[] => tasks.all(traceId, exceptId).map(({ prompt }) => prompt),
    /** Call only when the user permanently removes the session. */
    forget(traceId: string): void {
      for (const statement of forgetStatements) statement.run(traceId)
      removeFromPlans.run({ traceId })
    },
  }
}

const toReasonCounts = (reasons: Record<string, number>) =>
  Object.entries(reasons)
    .map(([reason, count]) => ({ reason, count }))
    .toSorted((a, b) => b.count - a.count || (a.reason < b.reason ? -1 : 1))
