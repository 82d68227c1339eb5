import type { ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import type { ShellValidation } from '#contracts/entities/shell-task.ts'
import { type ChatRequest, type Completion, ProviderError } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { SolvedCount } from '../validate/validate.ts'
import { Unpaid } from './metered.ts'
import { parseAnswer, type Written } from './parse.ts'
import { ANSWER_TOKENS, pairAt, promptOf, type Seed, SYSTEM } from './prompt.ts'
import type { Tried } from './solve.ts'
import type { Candidate, GenerationStore } from './store.ts'

export interface Generating {
  id: string
  request: ShellGenerationRequest
  model: string | null
  /** Of each difficulty that is wanted; two or more. */
  seeds: ReadonlyMap<number, readonly Seed[]>
  /** Throws `Unpaid`, or the error of the endpoint. */
  ask: (request: ChatRequest, signal: AbortSignal) => Promise<Completion>
  solve: (task: Written, signal: AbortSignal) => Promise<Tried | null>
  validate: (
    task: Written & { referenceSolution: string | null },
    rollouts: SolvedCount | null,
    signal: AbortSignal,
  ) => Promise<ShellValidation>
  /** The task of this run, the store or a held-out set that a text nearly repeats; null: none, and the text is remembered. */
  repeated: (task: string) => string | null
  /** In a transaction; its id. */
  keep: (
    task: Written & { referenceSolution: string | null },
    difficulty: number,
    validation: ShellValidation,
    rollouts: readonly Tried[],
  ) => string
  /** After the transaction. */
  kept: (taskId: string) => void
}

export type Outcome = { state: 'completed' | 'budget' | 'failed'; message: string | null }

/** For one task that is wanted no more candidates than these are made. */
const MAX_A_TASK = 5
/** After this many failures in a row no more requests are sent. */
const MAX_FAILURES = 5

/** Makes candidates until there are enough tasks of each difficulty: each is written, compared, validated and tried, and its result is stored at once. */
export async function generate(
  { tx, log }: Pick<Core, 'tx' | 'log'>,
  store: GenerationStore,
  work: Generating,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<Outcome> {
  const { id, request } = work
  const wanted = ([1, 2, 3, 4] as const).map((difficulty) => ({ difficulty, target: request.targets[`${difficulty}`] })).filter(({ target }) => target > 0) // prettier-ignore
  const total = wanted.reduce((sum, { target }) => sum + target, 0)
  const stopping = new AbortController()
  const stop = AbortSignal.any([signal, stopping.signal])
  const left = store.open(id)
  const inFlight = new Map<number, number>()
  let settled = Promise.withResolvers<void>()
  let failures = 0
  let outcome: Outcome | null = null

  const keptInAll = () => wanted.reduce((sum, { difficulty }) => sum + store.counts(id, difficulty).kept, 0)
  const reportProgress = () => progress({ phase: 'generating', done: keptInAll(), total, unit: 'tasks' })
  const end = (how: Outcome) => {
    outcome ??= how
    stopping.abort(new Error(how.message ?? how.state))
  }

  /** The next candidate; null: for now none is needed. */
  const next = (): Candidate | null => {
    const before = left.shift()
    if (before) return before
    for (const { difficulty, target } of wanted) {
      const { kept, made } = store.counts(id, difficulty)
      if (kept + (inFlight.get(difficulty) ?? 0) >= target || made >= target * MAX_A_TASK) continue
      const candidate: Candidate = { no: made, difficulty, body: null, rollouts: [] }
      tx(() => store.add(id, candidate))
      return candidate
    }
    return null
  }

  const write = async (candidate: Candidate): Promise<Written | { reason: string }> => {
    const pair = pairAt(work.seeds.get(candidate.difficulty)!, candidate.no, request.seed)
    let reason = ''
    for (let left = request.tries; left > 0; left -= 1) {
      const answer = await work.ask(
        {
          model: work.model,
          system: SYSTEM,
          messages: [{ role: 'user', content: promptOf(pair, candidate.difficulty) }],
          maxTokens: ANSWER_TOKENS,
          temperature: request.temperature,
        },
        stop,
      )
      const read = answer.stopped === 'length' ? { reason: 'the answer was cut off' } : parseAnswer(answer.text)
      if (!('reason' in read)) return read
      reason = read.reason
    }
    return { reason }
  }
  const tryOut = async (candidate: Candidate, task: Written): Promise<SolvedCount> => {
    const missing = request.rollouts - candidate.rollouts.length
    const one = async () => {
      const tried = await work.solve(task, stop)
      if (tried === null) return
      candidate.rollouts = [...candidate.rollouts, tried]
      tx(() => store.setRollouts(id, candidate))
    }
    const ends = await Promise.allSettled(Array.from({ length: Math.max(missing, 0) }, one))
    stop.throwIfAborted()
    for (const ended of ends) if (ended.status === 'rejected') throw ended.reason
    const solved = candidate.rollouts.filter((tried) => tried.solved).length
    return { solved, failed: candidate.rollouts.length - solved, of: request.rollouts, threshold: request.threshold }
  }
  const processCandidate = async (candidate: Candidate): Promise<void> => {
    const reject = (reason: string, detail: string) => tx(() => store.reject(id, candidate, reason, detail))
    if (candidate.body === null) {
      const written = await write(candidate)
      if ('reason' in written) return reject('unreadable answer', written.reason)
      candidate.body = written
      tx(() => store.setBody(id, candidate))
    }
    const task = candidate.body
    const of = work.repeated(task.task)
    if (of !== null) return reject('repeats another task', of)
    const first = await work.validate({ ...task, referenceSolution: null }, null, stop)
    const broken = first.verdicts.find(({ name, verdict }) => verdict === 'fail' || (verdict === 'unknown' && name !== 'solvable'))
    if (broken) return reject(`${broken.name}: ${broken.verdict}`, broken.evidence.map(({ note }) => note).join(' '))
    const rollouts = await tryOut(candidate, task)
    const solved = { ...task, referenceSolution: solutionOf(candidate.rollouts) }
    const validation = await work.validate(solved, rollouts, stop)
    if (validation.status !== 'valid') {
      const failed = validation.verdicts.find(({ verdict }) => verdict !== 'pass')!
      return reject(`${failed.name}: ${failed.verdict}`, failed.evidence.map(({ note }) => note).join(' '))
    }
    const taskId = tx(() => {
      const kept = work.keep(solved, candidate.difficulty, validation, candidate.rollouts)
      store.keep(id, candidate, kept)
      return kept
    })
    work.kept(taskId)
  }

  const attempt = async (candidate: Candidate): Promise<void> => {
    try {
      await processCandidate(candidate)
      failures = 0
    } catch (error) {
      stop.throwIfAborted()
      if (error instanceof Unpaid) return end({ state: 'budget', message: 'What is left of the budget does not cover the next request.' })
      failures += 1
      if (!(error instanceof ProviderError)) log.warn({ err: error, generation: id }, 'A candidate for a shell task could not be judged')
      if (failures >= MAX_FAILURES || (error instanceof ProviderError && error.kind === 'unauthorized'))
        return end({ state: 'failed', message: (error as Error).message })
      tx(() => store.reject(id, candidate, 'endpoint or engine failed', (error as Error).message))
    }
  }
  const worker = async (): Promise<void> => {
    for (;;) {
      stop.throwIfAborted()
      const candidate = next()
      if (candidate === null) {
        if ([...inFlight.values()].every((count) => count === 0)) return
        await settled.promise
        continue
      }
      const { difficulty } = candidate
      inFlight.set(difficulty, (inFlight.get(difficulty) ?? 0) + 1)
      try {
        await attempt(candidate)
      } finally {
        inFlight.set(difficulty, inFlight.get(difficulty)! - 1)
        settled.resolve()
        settled = Promise.withResolvers()
      }
      reportProgress()
    }
  }
  reportProgress()
  const ends = await Promise.allSettled(Array.from({ length: request.concurrency }, worker))
  signal.throwIfAborted()
  if (outcome !== null) return outcome
  for (const ended of ends) if (ended.status === 'rejected') throw ended.reason
  const kept = keptInAll()
  return {
    state: 'completed',
    message: kept < total ? `${kept} of ${total} tasks: after ${MAX_A_TASK} candidates for each task that is wanted it ends.` : null,
  }
}

/** The commands of the shortest try that solved the task; whether they do it again is looked at. */
function solutionOf(tries: readonly Tried[]): string | null {
  const texts = tries
    .filter(({ solved }) => solved)
    .map(({ history }) =>
      history
        .map(({ command }) => command)
        .filter((command) => !/^\s*exit\b/.test(command))
        .join('\n'),
    )
  return texts.toSorted((a, b) => a.length - b.length)[0] ?? null
}
