import { sandboxSession } from '#contracts/streams.ts'
import { AppError } from '#contracts/errors.ts'
import type { CheckReport } from '#contracts/entities/check.ts'
import type { Core } from '#server/core.ts'
import type { GateInput, RunRedaction, RunRedactionOptions } from '../privacy/index.ts'
import type { Stage } from '../stage.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { createLlmProxy } from '#server/adapters/llm-proxy/index.ts'
import { type ClaudeCodeDeps, createClaudeCode } from './agents/claude-code/index.ts'
import { type CodexDeps, createCodex } from './agents/codex/index.ts'
import { createHarborPerform } from './agents/harbor/perform.ts'
import { createOpenCode, type OpenCodeDeps } from './agents/opencode/index.ts'
import { createPerform, type PerformDeps } from './agents/perform.ts'
import type { TaskModels } from './agents/models.ts'
import { removeOldPrograms } from './agents/readable-program.ts'
import { createReadLeft } from './agents/read-left.ts'
import { taskRoutes } from './agents/routes.ts'
import { createAgents } from './agents/service.ts'
import { createShellAgent } from './agents/shell.ts'
import { createStoreEnd } from './agents/store-end.ts'
import { newTaskId } from './agents/task-id.ts'
import { createTaskHandBack } from './hand-back/index.ts'
import { handBackRoutes } from './hand-back/routes.ts'
import { batchRoutes } from './batches/routes.ts'
import { createBatches } from './batches/service.ts'
import type { SessionBeginning } from './batches/beginning.job.ts'
import type { SessionChanges } from './checks/restore/changes.job.ts'
import { checkRoutes, type CheckRouteDeps } from './checks/routes.ts'
import { createCheckResults } from './checks/results.ts'
import { createChecks } from './checks/service.ts'
import { createToolchains, type ToolchainDeps } from './checks/toolchains.ts'
import { environmentRoutes } from './openenv/routes.ts'
import { rolloutRoutes } from './rollouts/routes.ts'
import { shellTasksOf } from './rollouts/selection.ts'
import { createRollouts } from './rollouts/service.ts'
import { statsOf } from './rollouts/stats.ts'
import { createTrainingEnvironment } from './openenv/for-training.ts'
import { createEnvironments, type EnvironmentsDeps } from './openenv/service.ts'
import { environmentTasks } from './openenv/task-file.ts'
import { sandboxRoutes } from './routes.ts'
import { rewardRoutes } from './rewards/routes.ts'
import { validateTask } from './shell-tasks/validate/validate.ts'
import { generationRoutes } from './shell-tasks/generate/routes.ts'
import { createGeneration } from './shell-tasks/generate/service.ts'
import { shellTaskRoutes } from './shell-tasks/routes.ts'
import type { SessionProposals, ProposalsInput } from './shell-tasks/from-sessions/proposals.job.ts'
import { createShellTasks } from './shell-tasks/service.ts'
import { trainingRows } from './shell-tasks/training-rows.ts'
import { createSandboxes, type SandboxDeps } from './sandboxes/service.ts'
import { storedPlaces } from './stored-places.ts'

const CHANGES_JOB = new URL('./checks/restore/changes.job.ts', import.meta.url)
const PROPOSALS_JOB = new URL('./shell-tasks/from-sessions/proposals.job.ts', import.meta.url)
const BEGINNING_JOB = new URL('./batches/beginning.job.ts', import.meta.url)

export { buildTerminalToolCall } from './openenv/tool-call.ts'
export type { FoundModel, OpenModel, TaskModels } from './agents/models.ts'

export interface ArenaDeps extends Omit<SandboxDeps, 'isNeeded'> {
  tools: ToolchainDeps
  git: Git
  traces: Pick<CheckRouteDeps, 'requireTrace' | 'idsOf' | 'projectOf'> & {
    callsOf: (traceId: string) => number
    repoOf: (traceId: string) => string | null
  }
  /** Makes the privacy gate that the texts of a session must pass. */
  gate: (purpose: string) => GateInput
  /** Scores a session again after its checks have a new result. Throws `trace_not_found`. */
  onVerified: (traceId: string, signal: AbortSignal) => Promise<void>
  models: TaskModels
  /** Opens the privacy gate for the requests of one run. */
  openRedaction: (purpose: string, options: RunRedactionOptions) => RunRedaction
  opencode: OpenCodeDeps['opencode']
  codex: CodexDeps['codex']
  /** The version of Bash Gym, written into exports. */
  version: string
  environments: Pick<EnvironmentsDeps, 'listen' | 'version'>
  /** The installed Claude Code, and what the user has configured for it. */
  claude: { program: ClaudeCodeDeps['claude']; userConfig: ClaudeCodeDeps['userConfig'] }
  /** Imports the transcripts of a folder into the archive. Returns the id of their trace, or null. */
  archive: PerformDeps['archive']
}

/** Sandboxes and the shells in them; the checks of projects; runs of agents, and batches of them; rollouts. */
export function createArena(core: Core, deps: ArenaDeps) {
  const sandboxes = createSandboxes(core, { ...deps, isNeeded: (leftAs) => agents.isNeeded(leftAs) })
  const results = createCheckResults(core)
  const toolchains = createToolchains(deps.tools)
  const { database, archive: archiveDir } = core.paths
  const runTraceJob = <T>(job: URL, traceId: string, signal: AbortSignal) =>
    core.workers.run<T | null>(job, { database, archive: archiveDir, traceId }, { lane: 'query', signal })
  const checks = createChecks({
    sandboxes,
    toolchains,
    git: deps.git,
    changes: (traceId, signal) => runTraceJob<SessionChanges>(CHANGES_JOB, traceId, signal),
    folder: core.paths.restored,
    results,
    onResult: deps.onVerified,
  })
  const { git, models, archive } = deps
  const { program: claude, userConfig } = deps.claude
  const drivers = [
    createClaudeCode({ sandboxes, claude, userConfig, now: core.now }),
    createOpenCode({ sandboxes, opencode: deps.opencode, now: core.now }),
    createCodex({ sandboxes, codex: deps.codex, now: core.now }),
    createShellAgent({ sandboxes, models }),
  ]
  const proxy = createLlmProxy()
  /** The result of a run's checks becomes the verification of its session. */
  const onVerified = async (taskId: string, traceId: string, report: CheckReport, signal: AbortSignal) => {
    try {
      results.keep(traceId, report, deps.traces.callsOf(traceId), taskId)
      await deps.onVerified(traceId, signal)
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'trace_not_found') throw error // the user has deleted the session in the meantime
    }
  }
  const { storeEnd } = createStoreEnd({ sandboxes, git, checks })
  const readLeft = createReadLeft({ sandboxes, drivers, archive, storeEnd })
  const perform = createPerform({
    sandboxes,
    checks,
    toolchains,
    git,
    models,
    proxy,
    drivers,
    archive,
    readLeft,
    onVerified,
    log: core.log,
  })
  const performHarbor = createHarborPerform({ sandboxes, git, drivers, archive, readLeft, onVerified, log: core.log })
  const agents = createAgents(core, {
    sandboxes,
    checks,
    git,
    models,
    drivers,
    maxActive: () => deps.limits().running,
    openRedaction: (options) => deps.openRedaction('run of an agent', options),
    handBack: { whyItStays: (id) => handBack.whyItStays(id), forget: (id) => handBack.forget(id) },
    readLeft,
    forgetLeft: (name) => sandboxes.forgetLeft(name),
    perform: (work) => (work.row.request.harbor === undefined ? perform(work) : performHarbor(work)),
  })
  const handBack = createTaskHandBack(core, agents)
  const batches = createBatches(core, {
    tasks: agents,
    sessions: {
      git,
      idsOf: deps.traces.idsOf,
      beginning: (traceId, signal) => runTraceJob<SessionBeginning>(BEGINNING_JOB, traceId, signal),
    },
    newId: newTaskId,
  })
  const shellTasks = createShellTasks(core, {
    propose(traceId, signal) {
      deps.traces.requireTrace(traceId)
      const gate = deps.gate('shell tasks of a session')
      return core.workers.run<SessionProposals | null>(PROPOSALS_JOB, { database, archive: archiveDir, traceId, project: deps.traces.repoOf(traceId), gate } satisfies ProposalsInput, { lane: 'query', signal }) // prettier-ignore
    },
    validate: (task, signal) => validateTask(task, { sandboxes, now: core.now }, signal),
    maxSandboxes: () => deps.limits().running,
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
  const limitsChanged = () => {
    sandboxes.limitsChanged()
    agents.limitsChanged()
  }
  const stage: Stage = {
    name: 'arena',
    routes: [
      ...sandboxRoutes(sandboxes),
      ...checkRoutes(checks, { ...deps.traces, jobs: core.jobs, sandboxLimit: () => sandboxes.capacity().limit }),
      ...taskRoutes(agents),
      ...handBackRoutes(handBack),
      ...batchRoutes(batches),
      ...environmentRoutes(environments),
      ...generationRoutes(generation), // before the shell tasks, whose `{id}` would match its paths
      ...rolloutRoutes(rollouts, { stats: statsOf(core.db), version: deps.version }),
      ...shellTaskRoutes(shellTasks, sandboxes),
      ...rewardRoutes(),
    ],
    stored: storedPlaces({
      task: (id) => agents.get(id).request,
      batch: batches.requestOf,
      rollouts: rollouts.settingsOf,
      generation: (id) => generation.get(id).request,
      startedFrom: (id) => agents.changeOf(id)?.directory ?? agents.get(id).request.directory ?? null,
      handedBackTo: handBack.rootOf,
      idsOf: deps.traces.idsOf,
      projectOf: deps.traces.projectOf,
    }),
    streams: [
      {
        kind: sandboxSession,
        open(id, from) {
          const [sandbox = '', session = '', window = null] = id.split('/')
          return sandboxes.screen(sandbox, session, window, from)
        },
      },
    ],
    forget(traceId) {
      results.forget(traceId)
      agents.forgetTrace(traceId)
    },
    async start(options) {
      checks.sweep()
      removeOldPrograms(core.log)
      sandboxes.recover()
      shellTasks.sweep()
      generation.recover()
      await handBack.recover()
      agents.start(options)
      batches.start(options)
      rollouts.start(options)
    },
    startAgain: {
      'agent-run': (id) => agents.startAgain(id),
      batch: (id) => batches.retry(id, undefined),
      rollouts: (id) => rollouts.resume(id),
      generation: (id) => generation.resume(id),
    },
    settings: [{ select: (settings) => settings.arena, onChange: limitsChanged }],
    // must end before capture stops, because capture imports the sessions of these runs
    async stop() {
      await rollouts.close()
      await environments.close()
      await batches.close()
      await agents.close()
      await proxy.close()
    },
    close: () => sandboxes.close(),
  }
  /** For training runs on shell tasks. */
  const training = {
    rows: (split: string, use: 'train' | 'held out') => trainingRows(shellTasks.ofSplit(split), use),
    places: () => sandboxes.capacity().limit,
    environment: createTrainingEnvironment(environments),
  }
  return { stage, training, verified: results.verified, preferred: () => batches.preferred() }
}
