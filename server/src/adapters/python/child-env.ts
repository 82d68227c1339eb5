import path from 'node:path'

/** Switches off telemetry and unrequested downloads of libraries. */
const QUIET = {
  HF_HUB_DISABLE_TELEMETRY: '1',
  DISABLE_TELEMETRY: '1',
  DO_NOT_TRACK: '1',
  WANDB_MODE: 'disabled',
  WANDB_DISABLED: 'true',
  GRADIO_ANALYTICS_ENABLED: 'False',
  RAY_USAGE_STATS_ENABLED: '0',
  VLLM_NO_USAGE_STATS: '1',
  UNSLOTH_DISABLE_STATISTICS: '1',
  TRANSFORMERS_NO_ADVISORY_WARNINGS: '1',
  TOKENIZERS_PARALLELISM: 'false',
}
const OFFLINE = { HF_HUB_OFFLINE: '1', TRANSFORMERS_OFFLINE: '1', HF_DATASETS_OFFLINE: '1' }
/** Threads that wait sleep: with one core taken by something else a step is three times as fast. */
const CALM = { OMP_WAIT_POLICY: 'PASSIVE', GOMP_SPINCOUNT: '0' }

export interface ChildPlaces {
  trainersDir: string
  clientsDir: string
  userHome: string
  path: string
  /** `hub` folder of the Hub client's cache. */
  hubCache: string
  machine: Readonly<Record<string, string>>
}

/**
 * The whole environment of a Python that we start: its packages, our trainers, the machine's own variables, no telemetry.
 * Nothing else of ours is inherited, so no key can reach a library.
 */
export function childEnv(places: ChildPlaces, options: { offline: boolean } = { offline: true }): Record<string, string> {
  return {
    ...places.machine,
    PATH: places.path,
    HOME: places.userHome,
    LANG: 'C.UTF-8',
    HF_HUB_CACHE: places.hubCache,
    PYTHONPATH: [places.trainersDir, places.clientsDir].join(path.delimiter),
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1', // the package may be in a read-only folder
    ...CALM,
    ...QUIET,
    ...(options.offline ? OFFLINE : {}),
  }
}
