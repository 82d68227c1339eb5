import type { ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import type { ShellValidation } from '#contracts/entities/shell-task.ts'
import { CapReached, type ChatRequest, type Completion, ProviderError } from '#server/adapters/llm/index.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { performAll } from '#server/runs/pool.ts'
import type { SolvedCount } from '../validate/validate.ts'
import { parseAnswer, type TaskDraft } from './parse.ts'
import { ANSWER_TOKENS, pairAt, promptOf, type Seed, SYSTEM } from './prompt.ts'
import type { SolveResult } from './solve.ts'
import type { Candidate, GenerationStore } from './store.ts'

export interface GenerationWork {
  id: string
  request: ShellGenerationRequest
  model: string | null
  /** For each requested difficulty, at least two. */
  seeds: ReadonlyMap<number, readonly Seed[]>
  /** Throws `CapReached`, or the error of the endpoint. */
  ask: (request: ChatRequest, signal: AbortSignal) => Promise<Completion>
  solve: (task: TaskDraft, signal: AbortSignal) => Promise<SolveResult | null>
  validate: (
    task: TaskDraft & { referenceSolution: string | null },
    rollouts: SolvedCount | null,
    signal: AbortSignal,
  ) => Promise<ShellValidation>
  /** The existing task that a text repeats or nearly repeats; null if there is none, and then the text is remembered. */
  findRepeated: (task: string) => string | null
  /** Stores a task and returns its id. Called in a transaction. */
  storeTask: (
    task: TaskDraft & { referenceSolution: string | null },
    difficulty: number,
    validation: ShellValidation,
    rollouts: readonly SolveResult[],
  ) => string
  /** Publishes a stored task. Called after the transaction. */
  announce: (taskId: string) => void
}

export type Outcome = { state: 'completed' | 'budget' | 'failed'; message: string | null }

/** Ends the whole generation. */
class Ended extends Error {
  readonly outcome: Outcome
  constructor(outcome: Outcome & { message: string }) {
    super(outcome.message)
    this.outcome = outcome
  }
}

/** The maximum number of candidates for each requested task. */
const MAX_CANDIDATES_PER_TASK = 5
/** After this many consecutive failures the generation ends. */
const MAX_FAILURES = 5

/** Makes candidates until there are enough tasks of each difficulty. Each is written, compared, validated and tried, and each result is stored immediately. */
export async function generate(
  { tx, log }: Pick<Core, 'tx' | 'log'>,
  store: GenerationStore,
  work: GenerationWork,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<Outcome> {
  const { id, request } = work
  const targets = ([1, 2, 3, 4] as const).map((difficulty) => ({ difficulty, target: request.targets[`${difficulty}`] })).filter(({ target }) => target > 0) // prettier-ignore
  const total = targets.reduce((sum, { target }) => sum + target, 0)
  const unfinished = store.open(id)
  const inFlight = new Map<number, number>()
  let failures = 0

  const keptCount = () => targets.reduce((sum, { difficulty }) => sum + store.counts(id, difficulty).kept, 0)
  const reportProgress = () => progress({ phase: 'generating', done: keptCount(), total, unit: 'tasks' })

  /** The next candidate; null if none is needed at the moment. */
  const next = (): Candidate | null => {
    const resumed = unfinished.shift()
    if (resumed) return resumed
    for (const { difficulty, target } of targets) {
      const { kept, made } = store.counts(id, difficulty)
      if (kept + (inFlight.get(difficulty) ?? 0) >= target || made >= target * MAX_CANDIDATES_PER_TASK) continue
      const candidate: Candidate = { no: made, difficulty, body: null, rollouts: [] }
      tx(() => store.add(id, candidate))
      return candidate
    }
    return null
  }

  const tryOut = async (candidate: Candidate, task: TaskDraft, stop: AbortSignal): Promise<SolvedCount> => {
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
  const processCandidate = async (candidate: Candidate, stop: AbortSignal): Promise<void> => {
    const reject = (reason: string, detail: string) => tx(() => store.reject(id, candidate, reason, detail))
    if (candidate.body === null) {
      const written = await write(work, candidate, stop)
      if ('reason' in written) return reject('unreadable answer', written.reason)
      candidate.body = written
      tx(() => store.setBody(id, candidate))
    }
    const task = candidate.body
    const repeatedId = work.findRepeated(task.task)
    if (repeatedId !== null) return reject('repeats another task', repeatedId)
    const first = await work.validate({ ...task, referenceSolution: null }, null, stop)
    const broken = first.verdicts.find(({ name, verdict }) => verdict === 'fail' || (verdict === 'unknown' && name !== 'solvable'))
    if (broken) return reject(`${broken.name}: ${broken.verdict}`, broken.evidence.map(({ note }) => note).join(' '))
    const rollouts = await tryOut(candidate, task, stop)
    const solved = { ...task, referenceSolution: solutionOf(candidate.rollouts) }
    const validation = await work.validate(solved, rollouts, stop)
    if (validation.status !== 'valid') {
      const failed = validation.verdicts.find(({ verdict }) => verdict !== 'pass')!
      return reject(`${failed.name}: ${failed.verdict}`, failed.evidence.map(({ note }) => note).join(' '))
    }
    const taskId = tx(() => {
      const kept = work.storeTask(solved, candidate.difficulty, validation, candidate.rollouts)
      store.keep(id, candidate, kept)
      return kept
    })
    work.announce(taskId)
  }

  const attempt = async (candidate: Candidate, stop: AbortSignal): Promise<void> => {
    try {
      await processCandidate(candidate, stop)
      failures = 0
    } catch (error) {
      stop.throwIfAborted()
      if (error instanceof CapReached)
        throw new Ended({ state: 'budget', message: 'The remaining budget does not cover the next request.' })
      failures += 1
      if (!(error instanceof ProviderError)) log.warn({ err: error, generation: id }, 'A candidate for a shell task could not be tested')
      if (failures >= MAX_FAILURES || (error instanceof ProviderError && error.kind === 'unauthorized'))
        throw new Ended({ state: 'failed', message: (error as Error).message })
      tx(() => store.reject(id, candidate, 'endpoint or engine failed', (error as Error).message))
    }
  }
  const perform = async (candidate: Candidate, stop: AbortSignal): Promise<void> => {
    const { difficulty } = candidate
    inFlight.set(difficulty, (inFlight.get(difficulty) ?? 0) + 1)
    await attempt(candidate, stop).finally(() => inFlight.set(difficulty, inFlight.get(difficulty)! - 1))
    reportProgress()
  }
  reportProgress()
  try {
    await performAll({ places: () => request.concurrency, next, perform, signal })
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof Ended) return error.outcome
    throw error
  }
  const kept = keptCount()
  return {
    state: 'completed',
    message:
      kept < total ? `${kept} of ${total} tasks: ${MAX_CANDIDATES_PER_TASK} candidates for each requested task were not enough.` : null,
  }
}

async function write(work: GenerationWork, candidate: Candidate, stop: AbortSignal): Promise<TaskDraft | { reason: string }> {
  const { request } = work
  const pair = pairAt(work.seeds.get(candidate.difficulty)!, candidate.no, request.seed)
  let reason = ''
  for (let tries = request.tries; tries > 0; tries -= 1) {
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

/** The commands of the shortest try that solved the task. Validation then checks that they solve it again. */
function solutionOf(tries: readonly SolveResult[]): string | null {
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
