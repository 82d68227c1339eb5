import type { Core } from '#server/core.ts'
import { newTaskId, type TaskModels } from '#server/stages/agents/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { GateInput, RunRedaction, RunRedactionOptions } from '../privacy/index.ts'
import type { Stage } from '../stage.ts'
import { createTrainingEnvironment } from './openenv/for-training.ts'
import { environmentRoutes } from './openenv/routes.ts'
import { createEnvironments, type EnvironmentsDeps } from './openenv/service.ts'
import { environmentTasks } from './openenv/task-file.ts'
import { rewardRoutes } from './rewards/routes.ts'
import { rolloutRoutes } from './rollouts/routes.ts'
import { shellTasksOf } from './rollouts/selection.ts'
import { createRollouts } from './rollouts/service.ts'
import { statsOf } from './rollouts/stats.ts'
import type { ProposalsInput, SessionProposals } from './shell-tasks/from-sessions/proposals.job.ts'
import { generationRoutes } from './shell-tasks/generate/routes.ts'
import { createGeneration } from './shell-tasks/generate/service.ts'
import type { HubOfTasks } from './shell-tasks/import/hub-set.ts'
import { shellTaskRoutes } from './shell-tasks/routes.ts'
import { createShellTasks } from './shell-tasks/service.ts'
import { trainingRows } from './shell-tasks/training-rows.ts'
import { validateTask } from './shell-tasks/validate/validate.ts'
import { storedPlaces } from './stored-places.ts'

const PROPOSALS_JOB = new URL('./shell-tasks/from-sessions/proposals.job.ts', import.meta.url)

export { buildTerminalToolCall } from './openenv/tool-call.ts'

export interface ShellRlDeps {
  sandboxes: Sandboxes
  models: TaskModels
  traces: {
    /** Throws `trace_not_found`. */
    requireTrace: (traceId: string) => void
    repoOf: (traceId: string) => string | null
    /** The exam that a session, or one that shares records with it, is in; null: none. */
    examOf: (traceId: string) => Promise<string | null>
  }
  /** Makes the privacy gate that the texts of a session must pass. */
  gate: (purpose: string) => GateInput
  /** Opens the privacy gate for the requests of one set. */
  openRedaction: (purpose: string, options: RunRedactionOptions) => RunRedaction
  environments: Pick<EnvironmentsDeps, 'listen' | 'version'>
  /** Where data sets with shell tasks are fetched from, and the folder for them. */
  hub: HubOfTasks
  /** The version of Bash Gym, written into exports. */
  version: string
}

/** Tasks for a model in a shell, attempts at them, their rewards, and the servers that let trainers play them. */
export function createShellRl(core: Core, deps: ShellRlDeps) {
  const { sandboxes, models } = deps
  const { database, archive } = core.paths
  const maxSandboxes = () => sandboxes.capacity().limit
  const shellTasks = createShellTasks(core, {
    async propose(traceId, signal) {
      deps.traces.requireTrace(traceId)
      const exam = await deps.traces.examOf(traceId)
      if (exam !== null) {
        const reason = `The session is in the exam "${exam}", so it stays out of training, with those that share records with it.`
        return { traceId, calls: 0, proposals: [], leftOut: [{ reason, steps: [] }] }
      }
      const gate = deps.gate('shell tasks of a session')
      return core.workers.run<SessionProposals | null>(PROPOSALS_JOB, { database, archive, traceId, project: deps.traces.repoOf(traceId), gate } satisfies ProposalsInput, { lane: 'query', signal }) // prettier-ignore
    },
    validate: (task, signal) => validateTask(task, { sandboxes, now: core.now }, signal),
    maxSandboxes,
    hub: deps.hub,
  })
  const rollouts = createRollouts(core, {
    sandboxes,
    models,
    newId: newTaskId,
    openRedaction: (options) => deps.openRedaction('set of rollouts', options),
    tasksOf: shellTasksOf(shellTasks),
  })
  const environments = createEnvironments(core, {
    sandboxes,
    ...deps.environments,
    tasks: environmentTasks(shellTasks, core.config.dataDir),
  })
  const generation = createGeneration(core, { sandboxes, models, tasks: shellTasks })
  const stage: Stage = {
    name: 'shell-rl',
    routes: [
      ...environmentRoutes(environments),
      ...generationRoutes(generation), // before the shell tasks, whose `{id}` would match its paths
      ...rolloutRoutes(rollouts, { stats: statsOf(core.db), version: deps.version }),
      ...shellTaskRoutes(shellTasks, sandboxes),
      ...rewardRoutes(),
    ],
    stored: storedPlaces({
      rollouts: rollouts.settingsOf,
      generation: (id) => generation.get(id).request,
    }),
    forget: null,
    start(options) {
      shellTasks.sweep()
      generation.recover()
      rollouts.start(options)
    },
    startAgain: {
      rollouts: (id) => rollouts.resume(id),
      generation: (id) => generation.resume(id),
    },
    async stop() {
      await rollouts.close()
      await environments.close()
    },
  }
  /** For training runs on shell tasks. */
  const training = {
    rows: (split: string, use: 'train' | 'held out') => trainingRows(shellTasks.ofSplit(split), use),
    places: maxSandboxes,
    environment: createTrainingEnvironment(environments),
  }
  /** An episode as steps, with the result of its check. */
  const episode = async (set: string, id: string) => {
    const { episode: ended, task, turns } = await rollouts.episode(set, id, { after: 0, limit: 1000 })
    const steps = turns
      .filter(({ isReasoning }) => !isReasoning)
      .map(({ command, output, exitCode }) => ({ tool: 'Bash', command, output, exitCode }))
    return { task: task.task, steps, success: ended?.success ?? null }
  }
  return { stage, training, episode }
}
