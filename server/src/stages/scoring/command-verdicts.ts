import type { CommandOverride, CommandVerdict, StepCommands } from '#contracts/entities/command-override.ts'
import type { Core } from '#server/core.ts'
import { commandKeys } from './command-key.ts'
import type { CommandOverrideStore } from './command-overrides.ts'
import { overrideFor } from './options.ts'
import type { ScoringService } from './service.ts'

export interface VerdictDeps {
  /** The project folder of a session; '' if unknown. Throws `trace_not_found`. */
  projectOf: (traceId: string) => string
}

/** Marks a command as a test command, or not, for a project, and rescores the sessions of the project. */
export function createCommandVerdicts(core: Core, deps: VerdictDeps, service: ScoringService, store: CommandOverrideStore) {
  const { tx, jobs, log } = core
  let job: Promise<unknown> | null = null

  /** Rescores outdated sessions, in at most one job at a time. */
  const catchUp = (): void => {
    if (job || store.outdated().length === 0) return
    const { id } = jobs.start('rescore', (context) => service.rescore({ dryRun: false, traceIds: store.outdated }, context))
    job = jobs
      .wait(id)
      .catch((error: unknown) => log.error({ err: error }, 'sessions could not be rescored'))
      .finally(() => (job = null))
  }

  const afterChange = async (traceId: string | undefined, signal: AbortSignal): Promise<void> => {
    if (traceId !== undefined) await service.scoreAgain(traceId, signal)
    catchUp()
  }

  return {
    list: store.list,
    commandsOf(traceId: string, command: string, cwd: string | null): StepCommands {
      const commandOverrides = store.list()
      const words = [...new Set(commandKeys(command))].filter((command) => command !== '' && !/^cd( |$)/.test(command))
      return {
        project: deps.projectOf(traceId),
        commands: words.map((command) => ({ words: command, override: overrideFor(command, cwd, commandOverrides) })),
      }
    },
    async set(
      request: { project: string; words: string; verdict: CommandVerdict; traceId?: string | undefined },
      signal: AbortSignal,
    ): Promise<CommandOverride> {
      const project = request.project.trim().replace(/(?<=.)\/+$/, '')
      const override = tx(() => store.set(project, request.words, request.verdict))
      await afterChange(request.traceId, signal)
      return override
    },
    async remove(id: string, traceId: string | undefined, signal: AbortSignal): Promise<CommandOverride> {
      const override = tx(() => store.remove(id))
      await afterChange(traceId, signal)
      return override
    },
    /** Continues rescoring after a restart of the server. */
    catchUp,
    idle: async () => {
      await job
    },
  }
}

export type CommandVerdicts = ReturnType<typeof createCommandVerdicts>
