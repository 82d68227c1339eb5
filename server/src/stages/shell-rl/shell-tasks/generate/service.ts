import { randomUUID } from 'node:crypto'
import type { Job } from '#contracts/entities/job.ts'
import type { ShellDiversity, ShellGeneration, ShellGenerationPlan, ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import type { ShellTaskItem, ShellValidation } from '#contracts/entities/shell-task.ts'
import { AppError } from '#contracts/errors.ts'
import type { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import { createLedger, createLimiter, metered, NOTHING_CHARGED, withRetries } from '#server/adapters/llm/index.ts'
import { requestCost, type TokenPrice } from '#server/prices/request-cost.ts'
import type { Core } from '#server/core.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { createInJobs } from '#server/runs/in-jobs.ts'
import { type OpenModel, type TaskModels } from '#server/stages/agents/index.ts'
import { throwFirst } from '#server/refusals.ts'
import { taskEndpointOf } from '../../rollouts/plan.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { isHeldOutName } from '../held-out.ts'
import { createRepeatFinder } from '../near.ts'
import type { NewTask } from '../store.ts'
import { validateTask } from '../validate/validate.ts'
import { diversityOf } from './diversity.ts'
import { pairAt, promptOf, type Seed, SYSTEM } from './prompt.ts'
import { generate, type Outcome } from './run.ts'
import { evidenceOf, solve } from './solve.ts'
import { createGenerationStore } from './store.ts'

export interface GenerationDeps {
  sandboxes: Sandboxes
  models: TaskModels
  tasks: {
    ofSplit: (split: string) => ShellTaskItem[]
    matching: (filter: ShellTaskFilter) => ShellTaskItem[]
    /** Stores a task. Called in a transaction. */
    keep: (task: NewTask, found: ShellValidation) => void
    /** Publishes a stored task. Called after the transaction. */
    announce: (id: string) => void
  }
}

const KIND = 'shell-tasks-generate'
/** An estimate for English and code. */
const CHARACTERS_A_TOKEN = 3.6
/** Estimated sizes of answers and tries. */
const TYPICAL = { answer: 800, turns: 6, turn: { input: 900, output: 80 } }
/** An estimate of how many candidates are needed for each stored task. */
const CANDIDATES = 2
const INTERRUPTED = 'Bash Gym stopped during this generation. Resume it to continue; answers that it already has are kept.'

/** Lets a model write new shell tasks from pairs of tasks, and stores those that are valid and that a model can solve. */
export function createGeneration(core: Core, { sandboxes, models, tasks }: GenerationDeps) {
  const { tx, log, now } = core
  const store = createGenerationStore(core.db)

  const seedsOf = ({ seeds, targets }: ShellGenerationRequest): Map<number, Seed[]> => {
    const all = tasks.ofSplit(seeds)
    return new Map(
      ([1, 2, 3, 4] as const)
        .filter((difficulty) => targets[`${difficulty}`] > 0)
        .map((difficulty) => [difficulty, all.filter((task) => task.difficulty === difficulty)]),
    )
  }
  const findModels = (request: ShellGenerationRequest) => {
    const { endpoint, model } = taskEndpointOf(request.endpoint)
    const solver = taskEndpointOf(request.solver ?? request.endpoint)
    return { writer: models.find(endpoint, model), solver: models.find(solver.endpoint, solver.model) }
  }

  const plan = (request: ShellGenerationRequest): ShellGenerationPlan => {
    const { writer, solver } = findModels(request)
    const refusals: ShellGenerationPlan['refusals'] = []
    for (const { missing } of request.solver === null ? [writer] : [writer, solver]) if (missing) refusals.push(missing)
    const taskCount = Object.values(request.targets).reduce((sum, count) => sum + count, 0)
    if (taskCount === 0)
      refusals.push({ message: 'No tasks were requested.', hint: 'Enter a number of tasks for at least one difficulty.' })
    if (isHeldOutName(request.split)) refusals.push({ message: `The name of the split "${request.split}" marks it as held out.`, hint: 'Choose another name: new tasks are meant for training.' }) // prettier-ignore
    if (request.budget.usd !== undefined && (writer.price === null || solver.price === null))
      refusals.push({ message: 'The price of a model is not known, so a limit in USD cannot be enforced.', hint: 'Set a token limit, or enter the price under Settings → Prices.' }) // prettier-ignore
    const seeds = seedsOf(request)
    for (const [difficulty, examples] of seeds)
      if (examples.length < 2) refusals.push({ message: `The split "${request.seeds}" has fewer than two tasks of difficulty ${difficulty}.`, hint: 'Choose another split for the examples.' }) // prettier-ignore
    const prompts = [...seeds]
      .filter(([, examples]) => examples.length >= 2)
      .map(([difficulty, examples]) => ({ difficulty, system: SYSTEM, prompt: promptOf(pairAt(examples, 0, request.seed), difficulty) }))
    const promptTokens = prompts.reduce((sum, { difficulty, system, prompt }) => {
      const count = request.targets[`${difficulty}` as keyof typeof request.targets]
      return sum + (count * (system.length + prompt.length)) / CHARACTERS_A_TOKEN
    }, 0)
    const tries = taskCount * CANDIDATES * request.rollouts * Math.min(TYPICAL.turns, request.turns)
    const write = { input: Math.round(promptTokens * CANDIDATES), output: taskCount * CANDIDATES * TYPICAL.answer }
    const solve = { input: tries * TYPICAL.turn.input, output: tries * TYPICAL.turn.output }
    const [writeCost, solveCost] = [requestCost(writer.price, write), requestCost(solver.price, solve)]
    return {
      model: writer.model,
      payer: writer.payer,
      solver: { model: solver.model, payer: solver.payer },
      wanted: taskCount,
      tokens: { input: write.input + solve.input, output: write.output + solve.output },
      costUsd: writeCost === null || solveCost === null ? null : writeCost + solveCost,
      prompts,
      refusals,
    }
  }

  const perform = async (id: string, context: JobContext): Promise<Outcome> => {
    const { request } = store.get(id)
    const { signal } = context
    const { writer, solver } = findModels(request)
    const opened: OpenModel[] = []
    const { tokens, usd } = store.spent(id)
    const ledger = createLedger({
      caps: { totalTokens: request.budget.tokens ?? null, costUsd: request.budget.usd ?? null },
      before: { ...NOTHING_CHARGED, input: tokens, usd },
      save: ({ input, output, usd }) => tx(() => store.setSpent(id, { tokens: input + output, usd })),
    })
    const open = async (of: ShellGenerationRequest['endpoint'], price: TokenPrice | null): Promise<OpenModel['ask']> => {
      const { endpoint, model } = taskEndpointOf(of)
      const one = await models.open(endpoint, model, signal)
      opened.push(one)
      const ask = metered(one, { ledger, price, isWhole: true })
      return (asked, stop) => withRetries(() => ask(asked, stop), { signal: stop })
    }

    try {
      const ask = await open(request.endpoint, writer.price)
      const askSolver = request.solver === null ? ask : await open(request.solver, solver.price)
      const places = createLimiter({ perMinute: Infinity, concurrency: Math.max(1, sandboxes.capacity().limit) })
      const findRepeated = createRepeatFinder(tasks.matching({}))
      return await generate(
        { tx, log },
        store,
        {
          id,
          request,
          model: writer.model,
          seeds: seedsOf(request),
          ask,
          solve: (task, stop) => places.run(() => solve({ sandboxes, model: solver.model, turns: request.turns, ask: askSolver }, task, stop), stop), // prettier-ignore
          validate: (task, rollouts, stop) => places.run(() => validateTask(task, { sandboxes, now, rollouts }, stop), stop),
          findRepeated: findRepeated,
          storeTask(task, difficulty, validation, tries) {
            const taskId = `gen-${randomUUID().slice(0, 18)}`
            const { split } = request
            const extra = { generation: id, evidence: evidenceOf(tries) }
            tasks.keep({ ...task, id: taskId, difficulty, split, isHeldOut: false, source: 'generated', extra }, validation)
            return taskId
          },
          announce: tasks.announce,
        },
        context,
      )
    } finally {
      for (const one of opened) await one.close()
    }
  }
  const runs = createInJobs<Outcome['state']>(core, {
    kind: KIND,
    end: (id, { state, message }) => store.setState(id, state, message, now()),
    interruptAll: (message) => store.interrupt(message, now()),
    interrupted: INTERRUPTED,
  })
  const begin = (id: string, storeRunning: () => void): Job =>
    runs.begin(id, (context) => perform(id, context), { store: storeRunning, result: () => store.get(id), atOnce: 1, subject: id })

  return {
    plan,
    start(request: ShellGenerationRequest): Job {
      const { refusals } = plan(request)
      throwFirst('invalid_request', refusals)
      const { writer, solver } = findModels(request)
      const id = randomUUID()
      return begin(id, () => store.insert(id, request, writer.price !== null && solver.price !== null, now()))
    },
    resume(id: string): Job {
      const { state } = store.get(id)
      if (state === 'running' || state === 'completed')
        throw new AppError('invalid_request', {
          message: state === 'running' ? 'This generation is already running.' : 'This generation is complete.',
        })
      return begin(id, () => store.setState(id, 'running', null, null))
    },
    get: (id: string): ShellGeneration => store.get(id),
    list: (): { items: ShellGeneration[] } => ({ items: store.list(100) }),
    diversity: (filter: ShellTaskFilter): ShellDiversity => diversityOf(tasks.matching(filter)),
    recover: runs.recover,
  }
}
export type Generation = ReturnType<typeof createGeneration>
