import fs from 'node:fs'
import path from 'node:path'
import { parse as parseToml, TomlError } from 'smol-toml'
import { parse as parseYaml, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { AppError } from '#contracts/errors.ts'
import { lookup } from '#contracts/lookup.ts'
import { ForeignFileError, type ForeignFolder, inForeign } from '#server/foreign/index.ts'

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

const MAX_TEXT_BYTES = 4 * 1024 * 1024
const MAX_TEST_FILES = 20_000

/** Whether a folder, or one in it, looks like a task of either format. */
async function isHarborTask(folder: ForeignFolder, under = ''): Promise<boolean> {
  return (await folder.find(`${under}task.toml`)) !== null || (await folder.find(`${under}task.yaml`)) !== null
}

/** The folder itself if it is a task, else the tasks in it, with their real paths. Throws if there are none. */
export async function harborFolders(folder: string): Promise<string[]> {
  const root = fs.existsSync(folder) ? fs.realpathSync(folder) : folder
  const tasks = await inForeign(root, async (place) => {
    if ((await place.find('')) === null) return []
    if (await isHarborTask(place)) return [root]
    const found: string[] = []
    for (const { name, kind } of await place.list()) if (kind === 'folder' && (await isHarborTask(place, `${name}/`))) found.push(name)
    return found.map((name) => path.join(root, name))
  })
  if (tasks.length === 0)
    throw new AppError('invalid_request', { message: `${folder} is not a task and contains none: a task has a task.toml or a task.yaml.` })
  return tasks
}

/** Reads a task that somebody else may have made: links are not followed. Throws with the file, the line if it is known, and the reason. */
export async function readHarborTask(folder: string): Promise<HarborTask> {
  try {
    return await inForeign(folder, async (place) => {
      if ((await place.find('task.toml')) !== null) return readToml(place)
      if ((await place.find('task.yaml')) !== null) return readYaml(place)
      throw refusal(folder, 'it has neither task.toml nor task.yaml')
    })
  } catch (error) {
    if (!(error instanceof ForeignFileError)) throw error
    throw refusal(path.join(folder, error.file), error.code === 'missing' ? 'there is no such file' : `it ${error.reason}`)
  }
}

async function readToml(place: ForeignFolder): Promise<HarborTask> {
  const folder = place.root
  const file = path.join(folder, 'task.toml')
  const data = parseText(file, await textOf(place, 'task.toml'), parseToml, (error) => (error instanceof TomlError ? error.line : null))
  const toml = validate(file, Toml, data)
  const version = toml.schema_version ?? (toml.version === undefined ? null : String(toml.version))
  if (version !== null && !/^1(\.[0-4])?(\.\d+)?$/.test(version))
    throw refusal(file, `its version is ${version}, but only 1.0 to 1.4 are supported`)
  const { environment, agent, verifier } = toml
  const isOffline = environment.allow_internet === false
  const tests = await testsOf(place)
  if (!tests.includes('test.sh')) throw refusal(path.join(folder, 'tests'), 'it has no test.sh')
  return {
    folder,
    name: toml.task?.name ?? path.basename(folder),
    format: 'harbor',
    version,
    instruction: await textOf(place, 'instruction.md'),
    environment: await environmentOf(place, 'environment/', environment.docker_image),
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
    solution: (await isFile(place, 'solution/solve.sh')) ? 'solution/solve.sh' : null,
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

async function readYaml(place: ForeignFolder): Promise<HarborTask> {
  const folder = place.root
  const file = path.join(folder, 'task.yaml')
  const data = parseText(file, await textOf(place, 'task.yaml'), parseYaml, (error) =>
    error instanceof YAMLParseError ? (error.linePos?.[0].line ?? null) : null,
  )
  const { instruction, max_agent_timeout_sec: agentSec, max_test_timeout_sec: verifierSec, ...metadata } = validate(file, Yaml, data)
  if (!(await isFile(place, 'run-tests.sh'))) throw refusal(folder, 'it has no run-tests.sh')
  return {
    folder,
    name: path.basename(folder),
    format: 'terminal-bench-1',
    version: null,
    instruction,
    environment: await environmentOf(place, '', undefined),
    workdir: null,
    network: { mode: 'public', hosts: [] },
    limits: { cpus: null, memoryMb: null, storageMb: null, agentSec, verifierSec, buildSec: 600 },
    env: {},
    checkEnv: {},
    unsupported: [],
    tests: await testsOf(place),
    check: 'run-tests.sh',
    solution: (await isFile(place, 'solution.sh')) ? 'solution.sh' : null,
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

async function environmentOf(place: ForeignFolder, under: string, image: string | undefined): Promise<HarborTask['environment']> {
  if (image !== undefined) return { kind: 'image', value: image }
  const [dockerfile, compose] = [`${under}Dockerfile`, `${under}docker-compose.yaml`]
  if (await isFile(place, dockerfile)) return { kind: 'dockerfile', value: await textOf(place, dockerfile) }
  return (await isFile(place, compose)) ? { kind: 'compose', value: await textOf(place, compose) } : null
}

/** The regular files of the tests; links stay out. */
async function testsOf(place: ForeignFolder): Promise<string[]> {
  const names: string[] = []
  if ((await place.find('tests')) === null) return []
  for await (const entry of place.walk('tests')) {
    if (entry.kind === 'file') names.push(entry.name.slice('tests/'.length))
    if (names.length > MAX_TEST_FILES) throw refusal(path.join(place.root, 'tests'), `it has more than ${MAX_TEST_FILES} files`)
  }
  return names.toSorted()
}

/** False if nothing has the name. Throws for a link, a folder or a device. */
async function isFile(place: ForeignFolder, name: string): Promise<boolean> {
  try {
    return await place.withFile(name, () => Promise.resolve(true))
  } catch (error) {
    if (error instanceof ForeignFileError && error.code === 'missing') return false
    throw error
  }
}

const textOf = (place: ForeignFolder, name: string): Promise<string> => place.text(name, MAX_TEXT_BYTES)

const refusal = (place: string, why: string) => new AppError('invalid_request', { message: `Can't read the task at ${place}: ${why}.` })
