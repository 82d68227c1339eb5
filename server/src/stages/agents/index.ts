import type { Git } from '#server/adapters/git/index.ts'
import { createLlmProxy } from '#server/adapters/llm-proxy/index.ts'
import type { Core } from '#server/core.ts'
import type { CheckReport } from '#contracts/entities/check.ts'
import type { Checks, Toolchains } from '#server/stages/checks/index.ts'
import type { Sandboxes } from '#server/stages/sandboxes/index.ts'
import { placeBelow } from '#server/within.ts'
import type { RunRedaction, RunRedactionOptions } from '../privacy/index.ts'
import type { Stage } from '../stage.ts'
import type { SessionBeginning } from './batches/beginning.job.ts'
import type { SessionsDeps } from './batches/of-sessions.ts'
import { batchRoutes } from './batches/routes.ts'
import { createBatches } from './batches/service.ts'
import { type ClaudeCodeDeps, createClaudeCode } from './claude-code/index.ts'
import { type CodexDeps, createCodex } from './codex/index.ts'
import { createGymAgent } from './gym/agent.ts'
import type { GymTurns } from './gym/turn.ts'
import { createTaskHandBack } from './hand-back/index.ts'
import { handBackRoutes } from './hand-back/routes.ts'
import { createHarborPerform } from './harbor/perform.ts'
import type { TaskModels } from './models.ts'
import { createOpenCode, type OpenCodeDeps } from './opencode/index.ts'
import { createPerform, type PerformDeps } from './perform.ts'
import { createReadLeft } from './read-left.ts'
import { removeOldPrograms } from './readable-program.ts'
import { taskRoutes } from './routes.ts'
import { type Agents, createAgents } from './service.ts'
import { createShellAgent } from './shell.ts'
import { createStoreEnd, type ExamFiles } from './store-end.ts'
import { storedPlaces } from './stored-places.ts'
import { newTaskId } from './task-id.ts'

const BEGINNING_JOB = new URL('./batches/beginning.job.ts', import.meta.url)

export { type CommandOutput, type EpisodeEnd, type EpisodeTurn, runEpisode } from './episode/episode.ts'
export { readFence, UNREADABLE_FENCE } from './episode/fence.ts'
export { runCommand, SESSION } from './episode/run-command.ts'
export { type GymTurns, NoAnswer, TOOLS_OF_CLIENT } from './gym/turn.ts'
export type { FoundModel, OpenModel, TaskModels } from './models.ts'
export { privacyOf, redactionOf } from './receiver.ts'
export { readPatch, withHunks } from './hand-back/diff/patch.ts'
export type AgentRuns = Pick<Agents, 'create' | 'get' | 'resume' | 'cancel' | 'plan' | 'pause' | 'message' | 'lastMessage'>
export { newTaskId } from './task-id.ts'
export { tarFiles, writeFiles } from './working-copy.ts'

export interface AgentStageDeps {
  sandboxes: Sandboxes
  checks: Checks
  toolchains: Toolchains
  /** Makes the result of a run's checks the verification of its session. */
  verifySession: (taskId: string, traceId: string, report: CheckReport, signal: AbortSignal) => Promise<void>
  git: Git
  idsOf: SessionsDeps['idsOf']
  models: TaskModels
  gymTurns: GymTurns
  /** Opens the privacy gate for the requests of one run. */
  openRedaction: (purpose: string, options: RunRedactionOptions) => RunRedaction
  opencode: OpenCodeDeps['opencode']
  codex: CodexDeps['codex']
  /** The installed Claude Code, and what the user has configured for it. */
  claude: { program: ClaudeCodeDeps['claude']; userConfig: ClaudeCodeDeps['userConfig'] }
  /** Imports the transcripts of a folder into the archive. Returns the id of their trace, or null. */
  archive: PerformDeps['archive']
}

/** Runs of agents in sandboxes, batches of them, and handing their changes back. */
export function createAgentStage(core: Core, deps: AgentStageDeps) {
  const { sandboxes, checks, toolchains, git, models, archive, verifySession: onVerified } = deps
  const { program: claude, userConfig } = deps.claude
  const drivers = [
    createClaudeCode({ sandboxes, claude, userConfig, now: core.now }),
    createOpenCode({ sandboxes, opencode: deps.opencode, now: core.now }),
    createCodex({ sandboxes, codex: deps.codex, now: core.now }),
    createShellAgent({ sandboxes, models }),
    createGymAgent({ sandboxes, models, turns: deps.gymTurns }),
  ]
  const proxy = createLlmProxy()
  const examFiles = ({ id, states }: ExamFiles) => placeBelow(core.paths.exams, id, states)
  const { storeEnd } = createStoreEnd({ sandboxes, git, checks, examFiles })
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
    examFiles,
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
    maxActive: () => sandboxes.capacity().limit,
    openRedaction: (options) => deps.openRedaction('run of an agent', options),
    handBack: { whyItStays: (id) => handBack.whyItStays(id), forget: (id) => handBack.forget(id) },
    readLeft,
    forgetLeft: (name) => sandboxes.forgetLeft(name),
    perform: (work) => (work.row.request.harbor === undefined ? perform(work) : performHarbor(work)),
  })
  const handBack = createTaskHandBack(core, agents)
  const { database, archive: archiveDir } = core.paths
  const batches = createBatches(core, {
    tasks: agents,
    sessions: {
      git,
      idsOf: deps.idsOf,
      beginning: (traceId, signal) =>
        core.workers.run<SessionBeginning | null>(BEGINNING_JOB, { database, archive: archiveDir, traceId }, { lane: 'query', signal }),
    },
    newId: newTaskId,
  })
  const stage: Stage = {
    name: 'agents',
    routes: [...taskRoutes(agents), ...handBackRoutes(handBack), ...batchRoutes(batches)],
    stored: storedPlaces({
      task: (id) => agents.get(id).request,
      batch: batches.requestOf,
      startedFrom: (id) => agents.changeOf(id)?.directory ?? agents.get(id).request.directory ?? null,
      handedBackTo: handBack.rootOf,
    }),
    forget: agents.forgetTrace,
    async start(options) {
      removeOldPrograms(core.log)
      await handBack.recover()
      agents.start(options)
      batches.start(options)
    },
    startAgain: {
      'agent-run': (id) => agents.startAgain(id),
      batch: (id) => batches.retry(id, undefined),
    },
    settings: [{ select: (settings) => settings.arena, onChange: agents.limitsChanged }],
    // must end before capture stops, because capture imports the sessions of these runs
    async stop() {
      await batches.close()
      await agents.close()
      await proxy.close()
    },
  }
  return {
    stage,
    runs: agents,
    /** The change of a run as a patch. Throws `task_no_change`. */
    patchOf: (id: string, signal: AbortSignal) => handBack.patch(id, signal),
    isNeeded: (leftAs: string) => agents.isNeeded(leftAs),
    sessionOf: (taskId: string): string | null => agents.get(taskId).traceId,
    preferred: () => batches.preferred(),
  }
}
