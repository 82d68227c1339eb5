import { plainWords } from '#contracts/plain-words.ts'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'

/** All options of a start, resolved once. The only reader of `process.env`. */
export interface Config {
  /** Data directory, absolute. Every path below is derived from it. */
  dataDir: string
  port: number
  host: string
  /** Set by `--host` beyond loopback together with `--allow-remote`. */
  allowRemote: boolean
  /** The app is opened for its user: on a first run the history is imported once the user asks for it, not by itself. */
  askBeforeImport: boolean
  /** Folder of Claude Code: settings.json, projects/. */
  claudeDir: string
  /** Home of the user, for the places of other agents. */
  userHome: string
  /** Folders of Codex (`sessions/`), the Gemini CLI (`tmp/`) and OpenCode (`opencode.db`). */
  codexDir: string
  geminiDir: string
  opencodeDir: string
  /** Cache of the trainers' Hub client. */
  hubCache: string
  /** Address and token that the environment gives, and the file of `hf auth login`. The token is read here and shown nowhere. */
  hub: { endpoint: string | null; token: string | null; tokenFile: string }
  /** Folders of Ollama's models, and of LM Studio's. */
  ollamaModels: string
  lmStudioModels: readonly string[]
  /** The Python that trains, when it is named (BASHGYM_PYTHON). */
  python: string | null
  /** Folder of the Python package that trains. */
  trainersDir: string
  /** Folder of the Python package with the client of environments, which the trainers use. */
  clientsDir: string
  /** Default base model of a new run. */
  baseModel: string
  /** Built renderer. */
  rendererDir: string
  samplesDir: string
  hookSource: string
  /** Where each value came from: flag, environment, default. */
  origins: { name: string; value: string; origin: 'flag' | 'environment' | 'default' }[]
  logLevel: string
  /** Limits of running and waiting sandboxes, where a start names them; otherwise the settings have them. */
  sandboxes: { running?: number | undefined; queue?: number | undefined }
  /** For the server that `bashgym sandbox --server` names; shown nowhere. */
  sandboxToken: string | null
  /** Of models asked at an endpoint. Keys are read here and shown nowhere. */
  providers: {
    augmentation: 'anthropic' | 'nim' | null
    nimEndpoint: string | null
    anthropicBaseUrl: string | null
    keys: { anthropic: string | null; nim: string | null }
  }
  /** Command line of Claude Code when it is not simply `claude` on PATH. */
  claudeBin: string | null
  /** Of other agents: their programs where the environment names them. */
  opencodeBin: string | null
  codexBin: string | null
  /** Address of the Docker Engine; undefined: its default socket. */
  dockerHost: string | undefined
  path: string
  /** Variables that a Python of ours is given as they are: which GPU, which libraries, where temporary files go. */
  machine: Record<string, string>
  /** The same for its installer: its own settings, the way to the network. */
  network: Record<string, string>
  /** Keys and addresses of reporters, for a run that has them switched on. Shown nowhere. */
  reporters: Record<string, string>
  /** Of programs of the user that find their own settings: git, docker, the browser. No keys. */
  programs: Record<string, string>
}

export interface Paths {
  database: string
  search: string
  lock: string
  spool: string
  hook: string
  archive: string
  backups: string
  logs: string
  datasets: string
  /** A folder a run. */
  models: string
  /** Where exports go that name no folder. */
  exports: string
  /** A folder a sandbox. */
  boxes: string
  /** What sessions of sandboxes showed, a folder a sandbox; in no backup. */
  /** A folder a run of an agent. */
  tasks: string
  /** What hand-backs of runs replaced, a folder a run; in no backup. */
  handBacks: string
  /** Rows of shell tasks on their way into the database; in no backup. */
  shellTasks: string
  /** Copies of projects as sessions left them, while they are checked. */
  restored: string
  recordings: string
  /** Turns of episodes, a folder a set of rollouts; in no backup. */
  rollouts: string
  /** Files of sandboxes that were kept; in no backup. */
  snapshots: string
  /** Secret that the keys of data sets' pseudonyms are made from. */
  datasetKey: string
  /** Secret by which values found in the archive are recognised; it never leaves the data directory. */
  privacyKey: string
  /** Keys of providers that the user entered; in no backup. */
  providerKeys: string
  /** The Python environment that trains. */
  env: string
  token: string
  /** Who is signed in: hashes, in no backup. */
  signIns: string
  /** Pages that a browser is opened on to sign in. */
  signInLinks: string
  serverJson: string
}

/** Every path of a data directory. */
export const pathsOf = (dataDir: string): Paths => ({
  database: path.join(dataDir, 'bashgym.db'),
  search: path.join(dataDir, 'search.db'),
  lock: path.join(dataDir, 'lock.db'),
  spool: path.join(dataDir, 'spool'),
  hook: path.join(dataDir, 'hook'),
  archive: path.join(dataDir, 'archive'),
  backups: path.join(dataDir, 'backups'),
  logs: path.join(dataDir, 'logs'),
  datasets: path.join(dataDir, 'datasets'),
  models: path.join(dataDir, 'models'),
  exports: path.join(dataDir, 'exports'),
  boxes: path.join(dataDir, 'boxes'),
  recordings: path.join(dataDir, 'recordings'),
  restored: path.join(dataDir, 'restored'),
  tasks: path.join(dataDir, 'tasks'),
  handBacks: path.join(dataDir, 'hand-backs'),
  shellTasks: path.join(dataDir, 'shell-tasks'),
  rollouts: path.join(dataDir, 'rollouts'),
  snapshots: path.join(dataDir, 'snapshots'),
  datasetKey: path.join(dataDir, 'dataset-key'),
  privacyKey: path.join(dataDir, 'privacy-key'),
  providerKeys: path.join(dataDir, 'provider-keys.json'),
  env: path.join(dataDir, 'env'),
  token: path.join(dataDir, 'token'),
  signIns: path.join(dataDir, 'sign-ins.json'),
  signInLinks: path.join(dataDir, 'sign-in'),
  serverJson: path.join(dataDir, 'server.json'),
})

const Environment = z.object({
  BASHGYM_HOME: z.string().min(1).optional(),
  BASHGYM_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  BASHGYM_LOG: z.enum(['debug', 'info', 'warn', 'error', 'silent']).default('info'),
  CLAUDE_CONFIG_DIR: z.string().min(1).optional(),
  CLAUDE_BIN: z.string().min(1).optional(),
  OPENCODE_BIN: z.string().min(1).optional(),
  CODEX_BIN: z.string().min(1).optional(),
  DOCKER_HOST: z.string().min(1).optional(),
  CODEX_HOME: z.string().min(1).optional(),
  ANTHROPIC_API_KEY: z.string().trim().optional(),
  NVIDIA_API_KEY: z.string().trim().optional(),
  ANTHROPIC_BASE_URL: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).optional(),
  NIM_ENDPOINT: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).optional(),
  AUGMENTATION_PROVIDER: z
    .union([
      z.literal(''),
      z
        .string()
        .trim()
        .toLowerCase()
        .pipe(z.enum(['anthropic', 'nim'])),
    ])
    .optional(),
  HF_HOME: z.string().min(1).optional(),
  HF_HUB_CACHE: z.string().min(1).optional(),
  HF_ENDPOINT: z.union([z.literal(''), z.url({ protocol: /^https?$/ })]).optional(),
  HF_TOKEN: z.string().trim().optional(),
  OLLAMA_MODELS: z.string().min(1).optional(),
  BASHGYM_PYTHON: z.string().min(1).optional(),
  BASHGYM_SANDBOX_TOKEN: z.string().trim().min(1).optional(),
  BASE_MODEL: z.string().trim().optional(),
  XDG_DATA_HOME: z.string().min(1).optional(),
  HOME: z.string().optional(),
  PATH: z.string().default(''),
})

export interface Flags {
  dataDir?: string
  port?: number
  host?: string
  allowRemote?: boolean
  askBeforeImport?: boolean
  sandboxes?: Config['sandboxes'] | undefined
}

export const DEFAULT_PORT = 8002

/** The port that a flag names; null if it names none. */
export const portOf = (text: string): number | null => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null)

/** Flags over environment over defaults. Throws a sentence that names the variable when one does not fit. */
export function loadConfig(flags: Flags = {}, environment: NodeJS.ProcessEnv = process.env): Config {
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    throw new Error(
      `The environment variable ${issue.path.join('.')} is not valid. ${plainWords(issue)} Fix or unset it, then start again.`,
    )
  }
  const env = parsed.data
  const userHome = env.HOME ?? os.homedir()
  const origins: Config['origins'] = []
  const pick = <T extends string | number>(name: string, flag: T | undefined, variable: T | undefined, otherwise: T): T => {
    const origin = flag !== undefined ? 'flag' : variable !== undefined ? 'environment' : 'default'
    const value = flag ?? variable ?? otherwise
    origins.push({ name, value: String(value), origin })
    return value
  }
  const root = productRoot()
  const hubHome = path.resolve(env.HF_HOME ?? path.join(userHome, '.cache', 'huggingface'))
  return {
    dataDir: path.resolve(pick('BASHGYM_HOME', flags.dataDir, env.BASHGYM_HOME, path.join(userHome, '.bashgym'))),
    port: pick('BASHGYM_PORT', flags.port, env.BASHGYM_PORT, DEFAULT_PORT),
    host: pick('host', flags.host, undefined, '127.0.0.1'),
    allowRemote: flags.allowRemote ?? false,
    askBeforeImport: flags.askBeforeImport ?? false,
    claudeDir: path.resolve(pick('CLAUDE_CONFIG_DIR', undefined, env.CLAUDE_CONFIG_DIR, path.join(userHome, '.claude'))),
    userHome,
    codexDir: path.resolve(env.CODEX_HOME ?? path.join(userHome, '.codex')),
    geminiDir: path.join(userHome, '.gemini'),
    opencodeDir: path.resolve(env.XDG_DATA_HOME ?? path.join(userHome, '.local', 'share'), 'opencode'),
    hubCache: path.resolve(env.HF_HUB_CACHE ?? path.join(hubHome, 'hub')),
    hub: { endpoint: env.HF_ENDPOINT || null, token: env.HF_TOKEN || null, tokenFile: path.join(hubHome, 'token') },
    ollamaModels: path.resolve(env.OLLAMA_MODELS ?? path.join(userHome, '.ollama', 'models')),
    lmStudioModels: [path.join(userHome, '.lmstudio', 'models'), path.join(userHome, '.cache', 'lm-studio', 'models')],
    python: env.BASHGYM_PYTHON ?? null,
    trainersDir: path.join(root, 'server', 'trainers'),
    clientsDir: path.join(root, 'python', 'bashgym'),
    baseModel: env.BASE_MODEL || 'Qwen/Qwen2.5-Coder-1.5B-Instruct',
    rendererDir: path.join(root, 'dist', 'renderer'),
    samplesDir: path.join(root, 'samples'),
    hookSource: path.join(root, 'hooks', 'bashgym-hook.sh'),
    origins,
    sandboxes: flags.sandboxes ?? {},
    sandboxToken: env.BASHGYM_SANDBOX_TOKEN ?? null,
    logLevel: env.BASHGYM_LOG,
    providers: {
      augmentation: env.AUGMENTATION_PROVIDER || null,
      nimEndpoint: env.NIM_ENDPOINT || null,
      anthropicBaseUrl: env.ANTHROPIC_BASE_URL || null,
      keys: { anthropic: env.ANTHROPIC_API_KEY || null, nim: env.NVIDIA_API_KEY || null },
    },
    claudeBin: env.CLAUDE_BIN ?? null,
    opencodeBin: env.OPENCODE_BIN ?? null,
    codexBin: env.CODEX_BIN ?? null,
    dockerHost: env.DOCKER_HOST,
    path: env.PATH,
    machine: among(environment, /^(CUDA_|NVIDIA_|LD_LIBRARY_PATH$|TMPDIR$|XDG_)/),
    network: among(environment, /^(PIP_|(HTTPS?|ALL|NO)_PROXY$|SSL_CERT_|REQUESTS_CA_BUNDLE$)/i),
    reporters: among(environment, /^(WANDB|MLFLOW)_/),
    programs: among(environment, /^(?!.*(KEY|TOKEN|SECRET|PASSWORD))/i),
  }
}

const among = (environment: NodeJS.ProcessEnv, names: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (names.test(name) && value !== undefined ? [[name, value]] : [])),
  )

/** The folder that holds package.json: two up, both from server/src and from dist/server. */
const productRoot = () => path.resolve(import.meta.dirname, '..', '..')
