import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Run } from '#contracts/entities/run.ts'
import type { Engine } from '#server/adapters/engine/types.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'
import type { ModelPlaces } from './base-models/find.ts'
import type { BaseModelDeps } from './base-models/routes.ts'
import type { FromReposDeps } from './from-repos.ts'

/** The interpreter that trains, with the complete environment variables of its processes. */
export interface TrainerPython {
  program: string
  env: Readonly<Record<string, string>>
}

export interface GymDeps {
  engines: { local: Engine; ray?: Engine }
  /** Throws `training_unavailable`. */
  python: () => Promise<TrainerPython>
  /** The same interpreter with its package versions, without importing anything; null if there is no interpreter. */
  packages: () => Promise<{ program: string; packages: ReadonlyMap<string, string> } | null>
  devices: () => Promise<Devices>
  /** Command of the child that runs a reward's code in isolation; null if isolation is not available. */
  sandbox: () => readonly string[] | null
  datasets: FromReposDeps & { get: (id: string) => Dataset; folder: (id: string) => string }
  repoOf: (traceId: string) => string | null
  /** Folders of base models from the settings. */
  baseModels: () => Pick<ModelPlaces, 'named' | 'shelves'>
  hub: BaseModelDeps['hub']
  /** Called in the transaction that completes a run. Returns the id of the new model, or null. */
  onCompleted: (run: Run) => string | null
  /** Null if there are no shell tasks here. */
  shellTasks: {
    /** Tasks of a split, each with its prompt. Throws `shell_split_not_found`, `invalid_request`. */
    rows: (
      split: string,
      use: 'train' | 'held out',
    ) => readonly { prompt: readonly { role: string; content: string }[]; environment: Record<string, unknown> }[]
    /** Sandboxes that may run at a time. */
    limit: () => number
    /** Where a trainer finds the environment server. Throws the sandbox engine's error. */
    environment: () => Promise<{ url: string; token: string }>
  } | null
}
