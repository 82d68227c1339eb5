import path from 'node:path'
import type { RunRequest } from '#contracts/entities/run.ts'
import type { TrainerConfig, TrainSettings } from '#contracts/trainer.ts'
import type { Materials } from '../materials.ts'

interface ConfigInput {
  runId: string
  request: RunRequest
  settings: TrainSettings
  materials: Materials
  output: string
  /** The device of the plan, never `auto`, so that a run cannot fall back to another kind of device. */
  device: TrainSettings['device']
  /** For shell tasks: the file with the address of their environment server, and how many episodes run at once. */
  environment: TrainerConfig['environment']
  /** Command of the child that runs a reward's code in isolation; null if isolation is not available. */
  sandbox: readonly string[] | null
}

/** Written at every start and resume, because the address of the environment server may have changed. */
const ENVIRONMENT_FILE = 'environment.json'
export const environmentFile = (folder: string): string => path.join(folder, ENVIRONMENT_FILE)
export const environmentOf = ({ shellTasks }: Pick<Materials, 'shellTasks'>, folder: string): TrainerConfig['environment'] =>
  shellTasks && { file: environmentFile(folder), capacity: shellTasks.limit }

export const configOf = ({ runId, request, settings, materials, output, device, environment, sandbox }: ConfigInput): TrainerConfig => ({
  ...settings,
  device,
  // the copied rows of a mix contain their weights
  rowWeights: settings.rowWeights || materials.mix.length > 0,
  format: 1,
  runId,
  strategy: request.strategy,
  model: materials.model.path,
  teacher: materials.teacher?.path ?? null,
  data: materials.files,
  output,
  sandbox: sandbox && settings.rewards.some(({ kind }) => kind === 'tests') ? { argv: [...sandbox] } : null,
  environment,
  dryRun: false,
})
