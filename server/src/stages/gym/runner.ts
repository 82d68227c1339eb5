import fs from 'node:fs'
import { AppError } from '#contracts/errors.ts'
import { DISK_FULL_EXIT } from '#contracts/trainer.ts'
import type { Engine, EngineExit, EngineJob } from '#server/adapters/engine/types.ts'
import type { Core } from '#server/core.ts'
import { isDiskFull } from '#server/disk.ts'
import { createRunner } from '#server/runs/runner.ts'
import type { EndState, RequestedAction } from '#server/runs/types.ts'
import { type RunFolders, tailOf } from './folder.ts'
import { createIntake } from './ingest.ts'
import { workedSeconds, type Live } from './live.ts'
import type { BlockStore } from './metrics/blocks.ts'
import type { RunError, RunRow } from './row.ts'
import type { RunStore } from './store.ts'

export interface TrainingRunnerDeps {
  core: Core
  store: RunStore
  blocks: BlockStore
  folders: RunFolders
  engine: (name: RunRow['setup']['request']['engine']) => Engine
  /** Program and environment of a run. Throws `training_unavailable`. */
  command: (run: RunRow) => Promise<Pick<EngineJob, 'argv' | 'env'>>
  changed: (id: string) => void
  unstored: (id: string) => void
  ended: (id: string, state: EndState) => void
  /** Called in the transaction of a batch. */
  onBatch: (run: RunRow, before: Live, after: Live) => void
  onQuiet: (run: RunRow, live: Live) => void
  onFree: () => void
}

const AT_WORK = new Set(['warming', 'training', 'evaluating', 'saving'])

/** Starts and follows the processes of training runs. */
export function createTrainingRunner(deps: TrainingRunnerDeps) {
  const { core, store, blocks, folders } = deps
  return createRunner<Live, RunError, RunRow>({
    ...deps,
    engine: ({ setup }) => deps.engine(setup.request.engine),
    kind: {
      async command(run) {
        if (!fs.existsSync(folders.config(run.id)))
          throw new AppError('training_unavailable', {
            message: `The folder of this run is missing: ${folders.of(run.id)}.`,
            hint: 'Run it again.',
          })
        const command = await deps.command(run)
        folders.clearRequestedAction(run.id)
        return command
      },
      place: (id) => ({ folder: folders.of(id), log: folders.log(id) }),
      intake: (run) => createIntake({ core, store, blocks, onBatch: deps.onBatch }, run),
      begin: (live) => ({ ...live, outcome: null, phase: null, etaSec: null }),
      isAtWork: ({ phase }) => AT_WORK.has(phase ?? ''),
      outcome({ id, requestedAction }, exit, live) {
        const end = endOf({ requestedAction }, exit, live, tailOf(folders.log(id)))
        if (end.state === 'cancelled') folders.removeResult(id)
        const trainSec = live.trainSec ?? (live.lastAt === null ? null : workedSeconds(live)) // a killed trainer reported none
        return { ...end, live: { ...live, trainSec } }
      },
      failure: ({ id }, cause) => ({ ...reasonOf(cause), row: null, logTail: tailOf(folders.log(id)) }),
    },
    ended(id, state) {
      const health = store.require(id).health.filter(({ code }) => code !== 'stalled') // an ended run cannot stall
      store.change(id, { health, sizeBytes: folders.size(id) })
      deps.ended(id, state)
    },
  })
}
export type TrainingRunner = ReturnType<typeof createTrainingRunner>

function reasonOf(cause: unknown): Pick<RunError, 'code' | 'message'> {
  if (cause instanceof AppError) return { code: cause.code, message: `${cause.message}${cause.hint ? ` ${cause.hint}` : ''}` }
  if (isDiskFull(cause)) return { code: 'disk_full', message: FULL }
  return { code: 'internal', message: (cause as Error).message }
}

/** How a run ended, by the trainer's last event and the exit of its process. Pure. */
export function endOf(
  run: { requestedAction: RequestedAction | null },
  exit: EngineExit,
  live: Live,
  logTail: string,
): { state: EndState; error: RunError | null } {
  const { outcome } = live
  if (outcome?.kind === 'complete') return { state: 'completed', error: null }
  if (run.requestedAction === 'cancel') return { state: 'cancelled', error: null } // also if it was about to pause, because the cancel removed its checkpoints
  if (outcome?.kind === 'paused' || outcome?.kind === 'cancelled') return { state: outcome.kind, error: null }
  if (outcome?.kind === 'failed')
    return { state: 'failed', error: { code: outcome.code, message: outcome.message, row: outcome.row, logTail } }
  if (exit.code === DISK_FULL_EXIT) return { state: 'failed', error: { code: 'disk_full', message: FULL, row: null, logTail } }
  const error = { code: exit.signal === null ? 'ended' : 'killed', message: sentenceOf(exit), row: null, logTail }
  return { state: 'failed', error }
}

const FULL = 'The disk is full, so the trainer could not record how it ended. Free up disk space, then resume from the last checkpoint.'

function sentenceOf({ code, signal }: EngineExit): string {
  if (signal === 'SIGKILL')
    return 'The trainer was killed by the system or another program (SIGKILL), most often because memory ran out. Lower the micro-batch size or max length, or resume from the last checkpoint.'
  if (signal === 'SIGSEGV') return 'The trainer crashed in native code (SIGSEGV). The log may show where. Resume from the last checkpoint.'
  if (signal !== null) return `The trainer was ended by ${signal}.`
  if (code !== null) return `The trainer exited with code ${code} without an error message. The end of its log is below.`
  return 'The trainer ended while Bash Gym was not running: the machine was restarted, or the trainer was killed. Resume from the last checkpoint.'
}
