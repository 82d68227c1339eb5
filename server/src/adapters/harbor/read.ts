import fs from 'node:fs'
import path from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { lookup } from '#contracts/lookup.ts'

/** A task of Harbor (task.toml 1.0 to 1.4) or terminal-bench 1, as plain data. */
export interface HarborTask {
  folder: string
  name: string
  format: 'harbor' | 'terminal-bench-1'
  version: string | null
  instruction: string
  /** The agent's environment: the name of an image, a Dockerfile, or a Compose file. */
  environment: { kind: 'image' | 'dockerfile' | 'compose'; value: string } | null
  workdir: string | null
  network: { mode: 'public' | 'no-network' | 'allowlist'; hosts: string[] }
  limits: {
    cpus: number | null
    memoryMb: number | null
    storageMb: number | null
    agentSec: number
    verifierSec: number
    buildSec: number
  }
  env: Record<string, string>
  /** Further variables of the check only. */
  checkEnv: Record<string, string>
  /** Requirements that we do not support, in words; without them it would be a different task. */
  unsupported: string[]
  /** Files of the check, which are copied into the machine after the agent has ended; `check` is run. */
  tests: string[]
  check: string
  solution: string | null
  metadata: Record<string, unknown>
}

const Seconds = z.number().positive()
const Text = z.record(z.string(), z.string())
const User = z.union([z.string(), z.number()]).optional()
const Size = z.string().regex(/^\d+(\.\d+)?\s*[KMGT]i?B?$/i, 'must be a size such as "2G"')

/** Unknown fields are allowed, because newer 1.x versions add fields. */
const Toml = z.looseObject({
  schema_version: z.string().optional(),
  version: z.union([z.string(), z.number()]).optional(),
  task: z.looseObject({ name: z.string().optional() }).optional(),
  metadata: z.record(z.string(), z.unknown()).optional(),
  agent: z.looseObject({ timeout_sec: Seconds.default(600), user: User }).prefault({}),
  verifier: z
    .looseObject({
      timeout_sec: Seconds.default(600),
      env: Text.default({}),
      user: User,
      environment_mode: z.string().optional(),
      collect: z.array(z.unknown()).default([]),
    })
    .prefault({}),
  environment: z
    .looseObject({
      build_timeout_sec: Seconds.default(600),
      docker_image: z.string().optional(),
      cpus: z.number().positive().optional(),
      memory_mb: z.number().positive().optional(),
      storage_mb: z.number().positive().optional(),
      memory: Size.optional(),
      storage: Size.optional(),
      workdir: z.string().optional(),
      env: Text.default({}),
      network_mode: z.enum(['public', 'no-network', 'allowlist']).optional(),
      allow_internet: z.boolean().optional(),
      allowed_hosts: z.array(z.string()).default([]),
      os: z.string().optional(),
      gpus: z.number().default(0),
      healthcheck: z.unknown().optional(),
      mcp_servers: z.array(z.unknown()).default([]),
    })
    .prefault({}),
  steps: z.array(z.unknown()).default([]),
})

const Yaml = z.looseObject({
  instruction: z.string().trim().min(1),
  max_agent_timeout_sec: Seconds.default(600),
  max_test_timeout_sec: Seconds.default(600),
})

/** Whether a folder looks like a task of either format. */
export const isHarborTask = (folder: string): boolean => ['task.toml', 'task.yaml'].some((name) => fs.existsSync(path.join(folder, name)))

/** The folder itself if it is a task, else the tasks in it. Throws if there are none. */
export function harborFolders(folder: string): string[] {
  if (isHarborTask(folder)) return [folder]
  const inside =
    fs.existsSync(folder) && fs.statSync(folder).isDirectory() ? fs.readdirSync(folder).map((name) => path.join(folder, name)) : []
  const tasks = inside.filter(isHarborTask).toSorted()
  if (tasks.length === 0)
    throw new AppError('invalid_request', { message: `${folder} is not a task and contains none: a task has a task.toml or a task.yaml.` })
  return tasks
}

/** Throws with the file, the line if it is known, and the reason. */
export function readHarborTask(folder: string): HarborTask {
  if (fs.existsSync(path.join(folder, 'task.toml'))) return readToml(folder)
  if (fs.existsSync(path.join(folder, 'task.yaml'))) return readYaml(folder)
  throw refusal(folder, 'it has neither task.toml nor task.yaml')
}

function readToml(folder: string): HarborTask {
  const file = path.join(folder, 'task.toml')
  const data = parseFile(file, parseToml, (error) => (error instanceof TomlError ? error.line : null))
  const toml = validate(file, Toml, data)
  const version = toml.schema_version ?? (toml.version === undefined ? null : String(toml.version))
  if (version !== null && !/^1(\.[0-4])?(\.\d+)?$/.test(version))
    throw refusal(file, `its version is ${version}, but only 1.0 to 1.4 are supported`)
  const { environment, agent, verifier } = toml
  const isOffline = environment.allow_internet === false
  const tests = filesBelow(path.join(folder, 'tests'))
  if (!tests.includes('test.sh')) throw refusal(path.join(folder, 'tests'), 'it has no test.sh')
  return {
    folder,
    name: toml.task?.name ?? path.basename(folder),
    format: 'harbor',
    version,
    instruction: textOf(path.join(folder, 'instruction.md')),
    environment: environmentOf(path.join(folder, 'environment'), environment.docker_image),
    workdir: environment.workdir ?? null,
    network: { mode: environment.network_mode ?? (isOffline ? 'no-network' : 'public'), hosts: environment.allowed_hosts },
    limits: {
      cpus: environment.cpus ?? null,
      memoryMb: environment.memory_mb ?? megabytes(environment.memory),
      storageMb: environment.storage_mb ?? megabytes(environment.storage),
      agentSec: agent.timeout_sec,
      verifierSec: verifier.timeout_sec,
      buildSec: environment.build_timeout_sec,
    },
    env: environment.env,
    checkEnv: verifier.env,
    unsupported: unsupportedParts(toml),
    tests,
    check: 'tests/test.sh',
    solution: fs.existsSync(path.join(folder, 'solution/solve.sh')) ? 'solution/solve.sh' : null,
    metadata: toml.metadata ?? {},
  }
}

function unsupportedParts({ environment, agent, verifier, steps }: z.infer<typeof Toml>): string[] {
  const isRoot = (user: string | number | undefined) => user === undefined || user === 'root' || String(user) === '0'
  const checks: [boolean, string][] = [
    [environment.gpus > 0, 'a GPU'],
    [environment.os !== undefined && environment.os !== 'linux', `the system ${environment.os}`],
    [environment.healthcheck !== undefined, 'a health check of its environment'],
    [environment.mcp_servers.length > 0, 'MCP servers'],
    [environment.network_mode === 'allowlist', `a network with only these hosts: ${environment.allowed_hosts.join(', ')}`],
    [!isRoot(agent.user), `the user ${agent.user} for the agent`],
    [!isRoot(verifier.user), `the user ${verifier.user} for its tests`],
    [verifier.environment_mode === 'separate', 'a separate environment for its tests'],
    [verifier.collect.length > 0, 'commands that collect files'],
    [steps.length > 0, 'several steps'],
  ]
  return checks.flatMap(([isAsked, what]) => (isAsked ? [what] : []))
}

function readYaml(folder: string): HarborTask {
  const file = path.join(folder, 'task.yaml')
  const data = parseFile(file, parseYaml, (error) => (error instanceof YAMLParseError ? (error.linePos?.[0].line ?? null) : null))
  const { instruction, max_agent_timeout_sec: agentSec, max_test_timeout_sec: verifierSec, ...metadata } = validate(file, Yaml, data)
  if (!fs.existsSync(path.join(folder, 'run-tests.sh'))) throw refusal(folder, 'it has no run-tests.sh')
  return {
    folder,
    name: path.basename(folder),
    format: 'terminal-bench-1',
    version: null,
    instruction,
    environment: environmentOf(folder, undefined),
    workdir: null,
    network: { mode: 'public', hosts: [] },
    limits: { cpus: null, memoryMb: null, storageMb: null, agentSec, verifierSec, buildSec: 600 },
    env: {},
    checkEnv: {},
    unsupported: [],
    tests: filesBelow(path.join(folder, 'tests')),
    check: 'run-tests.sh',
    solution: fs.existsSync(path.join(folder, 'solution.sh')) ? 'solution.sh' : null,
    metadata,
  }
}

function parseFile(file: string, parse: (text: string) => unknown, lineOf: (error: unknown) => number | null): unknown {
  try {
    return parse(textOf(file))
  } catch (error) {
    if (error instanceof AppError) throw error
    const line = lineOf(error)
    throw refusal(file, `${line === null ? '' : `line ${line}: `}${(error as Error).message.split('\n')[0]}`)
  }
}

function validate<T>(file: string, schema: z.ZodType<T>, data: unknown): T {
  const result = schema.safeParse(data)
  if (result.success) return result.data
  const [issue] = result.error.issues
  throw refusal(file, `${issue!.path.join('.') || 'the file'}: ${issue!.message}`)
}

const UNITS: Readonly<Record<string, number>> = lookup({ K: 1 / 1024, M: 1, G: 1024, T: 1024 * 1024 })
const megabytes = (size: string | undefined): number | null =>
  size === undefined ? null : Number.parseFloat(size) * UNITS[/[KMGT]/i.exec(size)![0].toUpperCase()]!

function environmentOf(folder: string, image: string | undefined): HarborTask['environment'] {
  if (image !== undefined) return { kind: 'image', value: image }
  const dockerfile = path.join(folder, 'Dockerfile')
  if (fs.existsSync(dockerfile)) return { kind: 'dockerfile', value: textOf(dockerfile) }
  const compose = path.join(folder, 'docker-compose.yaml')
  return fs.existsSync(compose) ? { kind: 'compose', value: textOf(compose) } : null
}

const filesBelow = (folder: string): string[] =>
  fs.existsSync(folder)
    ? fs
        .readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile()) // a link could lead out of the task
        .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
        .toSorted()
    : []

function textOf(file: string): string {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch (error) {
    throw refusal(file, (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'there is no such file' : (error as Error).message)
  }
}

const refusal = (place: string, why: string) => new AppError('invalid_request', { message: `Can't read the task at ${place}: ${why}.` })
