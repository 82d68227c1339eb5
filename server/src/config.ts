import { AppError } from '#contracts/errors.ts'
import { plainWords } from '#contracts/plain-words.ts'
import os from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { RoutingStrategy } from '#contracts/settings/router.ts'
import type { SettingsOrigin } from '#contracts/entities/settings.ts'
import { variablesOfFile } from './env-file.ts'
import { absoluteFolders, programPath } from './program-path.ts'

/** All options of a start, resolved once. Only this file reads `process.env`. */
export interface Config {
  /** Absolute path of the data directory. */
  dataDir: string
  port: number
  host: string
  /** Allows a host other than loopback. */
  allowRemote: boolean
  /** On the first run, past sessions are imported only when the user asks, because the app opens a window. */
  askBeforeImport: boolean
  /** Folder of Claude Code: settings.json, projects/. */
  claudeDir: string
  /** The user's home folder, where other agents have their files. */
  userHome: string
  /** Folders of Codex (`sessions/`), the Gemini CLI (`tmp/`) and OpenCode (`opencode.db`). */
  codexDir: string
  geminiDir: string
  opencodeDir: string
  /** Cache of the trainers' Hub client. */
  hubCache: string
  /** Address and token from the environment, and the token file of `hf auth login`. The token is never shown. */
  hub: { endpoint: string | null; token: string | null; tokenFile: string }
  /** Folders of Ollama's models, and of LM Studio's. */
  ollamaModels: string
  lmStudioModels: readonly string[]
  /** From ROUTING_STRATEGY. */
  routingStrategy: RoutingStrategy | null
  /** Keys of programs that spans are sent to. */
  collectorKeys: { phoenix: string | null; langfuse: { publicKey: string; secretKey: string } | null; headers: string | null }
  /** Python for training, from BASHGYM_PYTHON. */
  python: string | null
  /** Folder of our Python package for training. */
  trainersDir: string
  /** Folder of our Python package with the clients of environments. */
  clientsDir: string
  /** Default base model of a new run. */
  baseModel: string
  /** Built renderer. */
  rendererDir: string
  samplesDir: string
  hookSource: string
  /** The script that asks the app about a command of Claude Code. */
  guardSource: string
  /** The built mod of Claude Code. */
  modSource: string
  /** The program that the mod runs. */
  modProgram: string
  /** Where each value came from. */
  origins: SettingsOrigin[]
  logLevel: string
  /** Limits of running and waiting sandboxes; they override the settings. */
  sandboxes: { running?: number | undefined; queue?: number | undefined }
  /** Token for `bashgym sandbox --server`; never shown. */
  sandboxToken: string | null
  /** Model providers. Keys are never shown. */
  providers: {
    augmentation: 'anthropic' | 'nim' | null
    nimEndpoint: string | null
    anthropicBaseUrl: string | null
    keys: { anthropic: string | null; nim: string | null }
  }
  /** Command line of Claude Code; null means `claude` on PATH. */
  claudeBin: string | null
  /** Programs of other agents, from the environment. */
  opencodeBin: string | null
  codexBin: string | null
  /** Address of the Docker Engine; undefined means its default socket. */
  dockerHost: string | undefined
  /** Folders in which programs are searched, without those of the project in which the server was started. */
  path: string
  /** Variables passed to training processes: GPUs, libraries, temporary folder. */
  machine: Record<string, string>
  /** Variables passed to the installer of Python packages: pip settings, proxies, certificates. */
  network: Record<string, string>
  /** Variables of Claude Code, which a client in this terminal has too. */
  claudeVariables: Record<string, string>
  /** Keys and addresses of reporters, for runs that use them. Never shown. */
  reporters: Record<string, string>
  /** Variables passed to the user's programs (git, docker, the browser), without keys. */
  programs: Record<string, string>
}

export interface Paths {
  database: string
  search: string
  lock: string
  spool: string
  hook: string
  /** Questions of the guard in Claude Code and their answers, what it decided, and what switches it on. */
  guard: string
  guardHook: string
  archive: string
  backups: string
  logs: string
  datasets: string
  /** One folder per run. */
  models: string
  /** Default folder of exports. */
  exports: string
  /** One folder per sandbox. */
  boxes: string
  /** One folder per agent run. */
  tasks: string
  /** Files that hand-backs replaced, one folder per run; not backed up. */
  handBacks: string
  /** Rows of shell tasks during an import; not backed up. */
  shellTasks: string
  /** Tasks of exams, one folder per exam. */
  exams: string
  /** Copies of projects as sessions left them, while they are checked. */
  restored: string
  /** Output of sandbox sessions, one folder per sandbox; not backed up. */
  recordings: string
  /** Turns of episodes, one folder per set of rollouts; not backed up. */
  rollouts: string
  /** Snapshots of sandboxes; not backed up. */
  snapshots: string
  /** Secret that the pseudonyms of data sets are derived from. */
  datasetKey: string
  /** Secret for recognising values found in the archive; it never leaves the data directory. */
  privacyKey: string
  /** Provider keys that the user entered; not backed up. */
  providerKeys: string
  proxyToken: string
  /** Of the address where telemetry comes in; not backed up. */
  telemetryToken: string
  /** The Python environment for training. */
  env: string
  token: string
  /** Sign-ins, as hashes; not backed up. */
  signIns: string
  /** Pages that sign a browser in. */
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
  guard: path.join(dataDir, 'guard'),
  guardHook: path.join(dataDir, 'guard-hook'),
  archive: path.join(dataDir, 'archive'),
  backups: path.join(dataDir, 'backups'),
  logs: path.join(dataDir, 'logs'),
  datasets: path.join(dataDir, 'datasets'),
  models: path.join(dataDir, 'models'),
  exports: path.join(dataDir, 'exports'),
  boxes: path.join(dataDir, 'boxes'),
  recordings: path.join(dataDir, 'recordings'),
  exams: path.join(dataDir, 'exams'),
  restored: path.join(dataDir, 'restored'),
  tasks: path.join(dataDir, 'tasks'),
  handBacks: path.join(dataDir, 'hand-backs'),
  shellTasks: path.join(dataDir, 'shell-tasks'),
  rollouts: path.join(dataDir, 'rollouts'),
  snapshots: path.join(dataDir, 'snapshots'),
  datasetKey: path.join(dataDir, 'dataset-key'),
  privacyKey: path.join(dataDir, 'privacy-key'),
  providerKeys: path.join(dataDir, 'provider-keys.json'),
  proxyToken: path.join(dataDir, 'proxy-token'),
  telemetryToken: path.join(dataDir, 'telemetry-token'),
  env: path.join(dataDir, 'env'),
  token: path.join(dataDir, 'token'),
  signIns: path.join(dataDir, 'sign-ins.json'),
  signInLinks: path.join(dataDir, 'sign-in'),
  serverJson: path.join(dataDir, 'server.json'),
})

/** An empty value is like a missing one. */
const optional = <T>(schema: z.ZodType<T, string>) =>
  z
    .string()
    .trim()
    .transform((text) => text || undefined)
    .pipe(schema.optional())
    .optional()
const WebAddress = z.url({ protocol: /^https?$/ })
const choice = <const T extends readonly [string, ...string[]]>(names: T) => optional(z.string().toLowerCase().pipe(z.enum(names)))

const Environment = z.object({
  BASHGYM_HOME: z.string().min(1).optional(),
  BASHGYM_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  BASHGYM_LOG: choice(['debug', 'info', 'warn', 'error', 'silent']),
  CLAUDE_CONFIG_DIR: z.string().min(1).optional(),
  CLAUDE_BIN: z.string().min(1).optional(),
  OPENCODE_BIN: z.string().min(1).optional(),
  CODEX_BIN: z.string().min(1).optional(),
  DOCKER_HOST: z.string().min(1).optional(),
  CODEX_HOME: z.string().min(1).optional(),
  ANTHROPIC_API_KEY: z.string().trim().optional(),
  NVIDIA_API_KEY: z.string().trim().optional(),
  ANTHROPIC_BASE_URL: optional(WebAddress),
  NIM_ENDPOINT: optional(WebAddress),
  AUGMENTATION_PROVIDER: choice(['anthropic', 'nim']),
  HF_HOME: z.string().min(1).optional(),
  HF_HUB_CACHE: z.string().min(1).optional(),
  HF_ENDPOINT: optional(WebAddress),
  HF_TOKEN: z.string().trim().optional(),
  OLLAMA_MODELS: z.string().min(1).optional(),
  BASHGYM_PYTHON: z.string().min(1).optional(),
  BASHGYM_SANDBOX_TOKEN: z.string().trim().min(1).optional(),
  BASE_MODEL: z.string().trim().optional(),
  PHOENIX_API_KEY: z.string().trim().optional(),
  LANGFUSE_PUBLIC_KEY: z.string().trim().optional(),
  LANGFUSE_SECRET_KEY: z.string().trim().optional(),
  OTEL_EXPORTER_OTLP_HEADERS: z.string().trim().optional(),
  ROUTING_STRATEGY: optional(z.string().toLowerCase().pipe(RoutingStrategy)),
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
export const DEFAULT_BASE_MODEL = 'Qwen/Qwen2.5-Coder-1.5B-Instruct'

/** Parses a port; null if the text is not a port. */
export const portOf = (text: string): number | null => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : null)

/**
 * Flags override the environment, which overrides the file `.env` beside package.json, which overrides defaults. The file is
 * never that of the current folder, because a project could then choose the programs that are started. Throws
 * `settings_invalid` if a variable is not valid.
 */
export function loadConfig(flags: Flags = {}, given: NodeJS.ProcessEnv = process.env, root = productRoot()): Config {
  const file = path.join(root, '.env')
  const ofFile = variablesOfFile(file, given['HOME'] ?? os.homedir())
  const environment: NodeJS.ProcessEnv = { ...ofFile, ...given }
  const parsed = Environment.safeParse(environment)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!
    const name = String(issue.path[0])
    throw new AppError('settings_invalid', {
      message: `${given[name] === undefined ? `${name} in ${file}` : `The environment variable ${name}`} is not valid: "${environment[name]}". ${plainWords(issue)}`,
      hint: 'Fix or remove it, then start again.',
    })
  }
  const env = parsed.data
  const userHome = env.HOME ?? os.homedir()
  const origins: Config['origins'] = []
  const pick = <T extends string | number>(name: string, flag: T | undefined, variable: T | undefined, fallback: T): T => {
    const origin = flag !== undefined ? 'flag' : variable === undefined ? 'default' : given[name] === undefined ? 'file' : 'environment'
    const value = flag ?? variable ?? fallback
    origins.push({ name, value: String(value), origin })
    return value
  }
  const searched = programPath(env.PATH, {
    cwd: currentFolder(),
    userHome,
    productRoot: root,
    activeEnvironment: environment['VIRTUAL_ENV'],
  })
  const libraries = absoluteFolders(environment['LD_LIBRARY_PATH'] ?? '')
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
    hub: { endpoint: env.HF_ENDPOINT ?? null, token: env.HF_TOKEN || null, tokenFile: path.join(hubHome, 'token') },
    ollamaModels: path.resolve(env.OLLAMA_MODELS ?? path.join(userHome, '.ollama', 'models')),
    lmStudioModels: [path.join(userHome, '.lmstudio', 'models'), path.join(userHome, '.cache', 'lm-studio', 'models')],
    python: env.BASHGYM_PYTHON ?? null,
    trainersDir: path.join(root, 'server', 'trainers'),
    clientsDir: path.join(root, 'python', 'bashgym'),
    baseModel: env.BASE_MODEL || DEFAULT_BASE_MODEL,
    rendererDir: path.join(root, 'dist', 'renderer'),
    samplesDir: path.join(root, 'samples'),
    hookSource: path.join(root, 'hooks', 'bashgym-hook.sh'),
    guardSource: path.join(root, 'hooks', 'bashgym-guard.sh'),
    modSource: path.join(root, 'dist', 'server', 'mod', 'register.js'),
    modProgram: path.join(root, 'dist', 'server', 'mod', 'program.cjs'),
    origins,
    sandboxes: flags.sandboxes ?? {},
    sandboxToken: env.BASHGYM_SANDBOX_TOKEN ?? null,
    logLevel: env.BASHGYM_LOG ?? 'info',
    providers: {
      augmentation: env.AUGMENTATION_PROVIDER ?? null,
      nimEndpoint: env.NIM_ENDPOINT ?? null,
      anthropicBaseUrl: env.ANTHROPIC_BASE_URL ?? null,
      keys: { anthropic: env.ANTHROPIC_API_KEY || null, nim: env.NVIDIA_API_KEY || null },
    },
    routingStrategy: env.ROUTING_STRATEGY ?? null,
    collectorKeys: {
      phoenix: env.PHOENIX_API_KEY || null,
      langfuse:
        env.LANGFUSE_PUBLIC_KEY && env.LANGFUSE_SECRET_KEY
          ? { publicKey: env.LANGFUSE_PUBLIC_KEY, secretKey: env.LANGFUSE_SECRET_KEY }
          : null,
      headers: env.OTEL_EXPORTER_OTLP_HEADERS || null,
    },
    claudeBin: env.CLAUDE_BIN ?? null,
    opencodeBin: env.OPENCODE_BIN ?? null,
    codexBin: env.CODEX_BIN ?? null,
    dockerHost: env.DOCKER_HOST,
    path: searched,
    machine: {
      ...matching(environment, /^(CUDA_|NVIDIA_|TMPDIR$|XDG_)/),
      ...(libraries === '' ? {} : { LD_LIBRARY_PATH: libraries }),
    },
    network: matching(environment, /^(PIP_|(HTTPS?|ALL|NO)_PROXY$|SSL_CERT_|REQUESTS_CA_BUNDLE$)/i),
    claudeVariables: matching(environment, /^(_?CLAUDE_CODE_|ANTHROPIC_DEFAULT_)/),
    reporters: matching(environment, /^(WANDB|MLFLOW)_/),
    programs: { ...matching(environment, /^(?!.*(KEY|TOKEN|SECRET|PASSWORD))/i), PATH: searched },
  }
}

const matching = (environment: NodeJS.ProcessEnv, names: RegExp): Record<string, string> =>
  Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (names.test(name) && value !== undefined ? [[name, value]] : [])),
  )

function currentFolder(): string {
  try {
    return process.cwd()
  } catch {
    return '/' // it was removed
  }
}

/** The folder with package.json: two levels up, from both server/src and dist/server. */
const productRoot = () => path.resolve(import.meta.dirname, '..', '..')
