import type { Dataset } from '#contracts/entities/dataset.ts'
import type { Run } from '#contracts/entities/run.ts'
import type { Engine } from '#server/adapters/engine/types.ts'
import type { Devices } from '#server/adapters/gpu/index.ts'
import type { ModelPlaces } from './base-models/find.ts'
import type { BaseModelDeps } from './base-models/routes.ts'

/** The interpreter that trains, with the whole environment of its processes. */
export interface TrainerPython {
  program: string
  env: Readonly<Record<string, string>>
}

export interface GymDeps {
  engines: { local: Engine; ray?: Engine }
  /** Throws `training_unavailable`. */
  python: () => Promise<TrainerPython>
  /** The same interpreter with the versions of its packages, nothing imported; null: there is none. */
  packages: () => Promise<{ program: string; packages: ReadonlyMap<string, string> } | null>
  devices: () => Promise<Devices>
  /** Child that runs a reward's code in isolation; null: there is none here. */
  sandbox: () => readonly string[] | null
  datasets: { get: (id: string) => Dataset; folder: (id: string) => string }
  repoOf: (traceId: string) => string | null
  /** Folders of base models from the settings. */
  baseModels: () => Pick<ModelPlaces, 'named' | 'shelves'>
  hub: BaseModelDeps['hub']
  /** In the transaction that completes a run: the id of the model that it made, null for none. */
  onCompleted: (run: Run) => string | null
  /** Null: there are none here. */
  shellTasks: {
    /** Tasks of a split, each with its prompt. Throws `shell_split_not_found`, `invalid_request`. */
    rows: (
      split: string,
      use: 'train' | 'held out',
    ) => readonly { prompt: readonly { role: string; content: string }[]; environment: Record<string, unknown> }[]
    /** Sandboxes that may run at a time. */
    places: () => number
    /** Where a trainer finds the environment that plays the episodes. Throws what the engine says. */
    environment: () => Promise<{ url: string; token: string | null }>
  } | null
}
