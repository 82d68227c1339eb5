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
  /** Child that runs code in isolation; null where rewards need none. */
  sandbox: readonly string[] | null
}

/** What the trainer is told. */
export const configOf = ({ runId, request, settings, materials, output, device, sandbox }: Parts): TrainerConfig => ({
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
  dryRun: false,
})
