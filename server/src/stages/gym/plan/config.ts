import path from 'node:path'
import type { RunRequest } from '#contracts/entities/run.ts'
import type { TrainerConfig, TrainSettings } from '#contracts/trainer.ts'
import type { Materials } from '../materials.ts'

interface Parts {
  runId: string
  request: RunRequest
  settings: TrainSettings
  materials: Materials
  output: string
  /** What the plan says that it computes on: a run never takes another kind by itself. */
  device: TrainSettings['device']
  /** Of shell tasks: the file that says where their environment is, and how many episodes it takes at once. */
  environment: TrainerConfig['environment']
  /** Child that runs code in isolation; null if rewards need none. */
  sandbox: readonly string[] | null
}

/** Written whenever the run is started or resumed: the server that plays the episodes may be another one then. */
const ENVIRONMENT_FILE = 'environment.json'
export const environmentFile = (folder: string): string => path.join(folder, ENVIRONMENT_FILE)
export const environmentOf = ({ played }: Pick<Materials, 'played'>, folder: string): TrainerConfig['environment'] =>
  played && { file: environmentFile(folder), capacity: played.places }

export const configOf = ({ runId, request, settings, materials, output, device, environment, sandbox }: Parts): TrainerConfig => ({
  ...settings,
  device,
  // rows of a mix are written with how often they come
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
