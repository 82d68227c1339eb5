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
/** Makes waiting threads sleep: if another program uses one core, a training step is then three times as fast. */
const PASSIVE_WAIT = { OMP_WAIT_POLICY: 'PASSIVE', GOMP_SPINCOUNT: '0' }

export interface ChildPlaces {
  trainersDir: string
  clientsDir: string
  userHome: string
  path: string
  /** The folder `hub` in the cache of the Hub client. */
  hubCache: string
  /** Variables of our environment that the GPU and the libraries need, such as CUDA_VISIBLE_DEVICES. */
  machine: Readonly<Record<string, string>>
}

/**
 * All environment variables of a Python that we start. It inherits nothing else of our environment, so that no key
 * reaches a library.
 */
export function childEnv(places: ChildPlaces, options: { offline: boolean } = { offline: true }): Record<string, string> {
  return {
    ...places.machine,
    PATH: places.path,
    HOME: places.userHome,
    LANG: 'C.UTF-8',
    HF_HUB_CACHE: places.hubCache,
    PYTHONPATH: [places.trainersDir, places.clientsDir].join(path.delimiter),
    PYTHONSAFEPATH: '1', // no module of the folder in which it runs, which may come from a restored backup
    PYTHONUNBUFFERED: '1',
    PYTHONDONTWRITEBYTECODE: '1', // the package may be in a read-only folder
    ...PASSIVE_WAIT,
    ...QUIET,
    ...(options.offline ? OFFLINE : {}),
  }
}
