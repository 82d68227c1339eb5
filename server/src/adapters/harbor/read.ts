import path from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { lookup } from '#contracts/lookup.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'
import { realPath } from '#server/real-path.ts'

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

/** Largest file with text of a task: longer than any prompt. */
const MAX_TEXT = 4 * 1024 * 1024
const MAX_TESTS = 20_000

const isTask = async (folder: ForeignFolder, under = ''): Promise<boolean> =>
  (await folder.find(path.posix.join(under, 'task.toml'))) !== null || (await folder.find(path.posix.join(under, 'task.yaml'))) !== null

/** The folder itself if it is a task, else the tasks in it, without links. Throws if there are none. */
export async function harborFolders(named: string): Promise<string[]> {
  const folder = realPath(named)
  const tasks = await inForeign(folder, async (inside) => {
    if (await isTask(inside)) return [folder]
    const found: string[] = []
    for (const { name, kind } of await inside.list())
      if (kind === 'folder' && (await isTask(inside, name))) found.push(path.join(folder, name))
    return found
  }).catch((error: unknown) => {
    if (error instanceof ForeignFileError) return []
    throw error
  })
  if (tasks.length === 0)
    throw new AppError('invalid_request', { message: `${named} is not a task and contains none: a task has a task.toml or a task.yaml.` })
  return tasks
}

/**
 * Throws with the file, the line if it is known, and the reason. The folder may be a stranger's: no link in it is followed,
 * because what is read becomes a prompt, and nothing but regular files is opened.
 */
export async function readHarborTask(named: string): Promise<HarborTask> {
  const folder = realPath(named)
  try {
    return await inForeign(folder, async (inside) => {
      const files = filesOf(folder, inside)
      if (await files.has('task.toml')) return readToml(folder, files)
      if (await files.has('task.yaml')) return readYaml(folder, files)
      throw refusal(folder, 'it has neither task.toml nor task.yaml')
    })
  } catch (error) {
    throw error instanceof ForeignFileError ? refusal(path.join(folder, error.file), error.reason) : error
  }
}

/** Reads a file of a task, by its name below the folder of the task. */
export async function readTaskFile({ folder }: Pick<HarborTask, 'folder'>, name: string): Promise<Buffer> {
  try {
    return await inForeign(folder, (inside) => inside.read(name, MAX_TEXT))
  } catch (error) {
    throw error instanceof ForeignFileError ? refusal(path.join(folder, name), error.reason) : error
  }
}

type Files = ReturnType<typeof filesOf>
function filesOf(folder: string, inside: ForeignFolder) {
  return {
    place: (name: string) => path.join(folder, name),
    /** Whether a regular file has this name. Throws if something else has it, or a part of it is a link. */
    async has(name: string): Promise<boolean> {
      const parts = name.split('/')
      for (const index of parts.keys()) {
        const part = parts.slice(0, index + 1).join('/')
        const found = await inside.find(part)
        if (found === null) return false
        if (found.kind === (index < parts.length - 1 ? 'folder' : 'file')) continue
        throw refusal(
          path.join(folder, part),
          found.kind === 'link' ? 'it is a link, and links are not followed' : 'it is not a regular file',
        )
      }
      return true
    },
    async text(name: string): Promise<string> {
      if (!(await this.has(name))) throw refusal(path.join(folder, name), 'there is no such file')
      return inside.text(name, MAX_TEXT)
    },
    /** The regular files below a folder, by their names in it. */
    async below(name: string): Promise<string[]> {
      const found = await inside.find(name)
      if (found === null) return []
      if (found.kind !== 'folder') throw refusal(path.join(folder, name), 'it is not a folder')
      const names: string[] = []
      for await (const entry of inside.walk(name)) {
        if (entry.kind === 'file') names.push(entry.name.slice(name.length + 1))
        if (names.length > MAX_TESTS) throw refusal(path.join(folder, name), `it has more than ${MAX_TESTS} files`)
      }
      return names.toSorted()
    },
  }
}

async function readToml(folder: string, files: Files): Promise<HarborTask> {
  const file = files.place('task.toml')
  const data = parseText(file, await files.text('task.toml'), parseToml, (error) => (error instanceof TomlError ? error.line : null))
  const toml = validate(file, Toml, data)
  const version = toml.schema_version ?? (toml.version === undefined ? null : String(toml.version))
  if (version !== null && !/^1(\.[0-4])?(\.\d+)?$/.test(version))
    throw refusal(file, `its version is ${version}, but only 1.0 to 1.4 are supported`)
  const { environment, agent, verifier } = toml
  const isOffline = environment.allow_internet === false
  const tests = await files.below('tests')
  if (!tests.includes('test.sh')) throw refusal(files.place('tests'), 'it has no test.sh')
  return {
    folder,
    name: toml.task?.name ?? path.basename(folder),
    format: 'harbor',
    version,
    instruction: await files.text('instruction.md'),
    environment: await environmentOf(files, 'environment', environment.docker_image),
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
    solution: (await files.has('solution/solve.sh')) ? 'solution/solve.sh' : null,
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

async function readYaml(folder: string, files: Files): Promise<HarborTask> {
  const file = files.place('task.yaml')
  const lineOf = (error: unknown) => (error instanceof YAMLParseError ? (error.linePos?.[0].line ?? null) : null)
  const data = parseText(file, await files.text('task.yaml'), parseYaml, lineOf)
  const { instruction, max_agent_timeout_sec: agentSec, max_test_timeout_sec: verifierSec, ...metadata } = validate(file, Yaml, data)
  if (!(await files.has('run-tests.sh'))) throw refusal(folder, 'it has no run-tests.sh')
  return {
    folder,
    name: path.basename(folder),
    format: 'terminal-bench-1',
    version: null,
    instruction,
    environment: await environmentOf(files, '', undefined),
    workdir: null,
    network: { mode: 'public', hosts: [] },
    limits: { cpus: null, memoryMb: null, storageMb: null, agentSec, verifierSec, buildSec: 600 },
    env: {},
    checkEnv: {},
    unsupported: [],
    tests: await files.below('tests'),
    check: 'run-tests.sh',
    solution: (await files.has('solution.sh')) ? 'solution.sh' : null,
    metadata,
  }
}

function parseText(file: string, text: string, parse: (text: string) => unknown, lineOf: (error: unknown) => number | null): unknown {
  try {
    return parse(text)
  } catch (error) {
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

async function environmentOf(files: Files, under: string, image: string | undefined): Promise<HarborTask['environment']> {
  if (image !== undefined) return { kind: 'image', value: image }
  const dockerfile = path.posix.join(under, 'Dockerfile')
  if (await files.has(dockerfile)) return { kind: 'dockerfile', value: await files.text(dockerfile) }
  const compose = path.posix.join(under, 'docker-compose.yaml')
  return (await files.has(compose)) ? { kind: 'compose', value: await files.text(compose) } : null
}

const refusal = (place: string, why: string) => new AppError('invalid_request', { message: `Can't read the task at ${place}: ${why}.` })
