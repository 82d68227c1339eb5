/** Machines in containers of Docker Engine. Never pulls images. */
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { birthOf, isAlive } from '#server/process/marks.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import {
  type Channel,
  type Machine,
  type MachineEngine,
  type MachineIsolation,
  type MachineSpec,
  type MachineUsage,
  NotRun,
} from '../sandbox/index.ts'
import { diskLimitExceeded, requireProgram } from '../sandbox/requests.ts'
import { buildImage, type ImageToBuild, type StepCommand } from './build.ts'
import { runInContainer } from './build-step.ts'
import { openChannel, type ContainerMachine } from './channel.ts'
import { callEngine, callEngineIfExists, clientOf, DEFAULT_HOST, removeFromEngine, unavailability } from './client.ts'
import { containerOf, LABELS, userOf, workdirOf } from './container.ts'
import { watchDisk, writtenBytes } from './disk-watch.ts'
import { readInside, writeInside } from './files.ts'
import { runInside } from './inside.ts'
import { seccompOption } from './seccomp.ts'
import { namesOf, snapshotsOf, takeSnapshot } from './snapshots.ts'

/** An Engine that was stopped during an answer keeps the connection open without answering. */
const STATE_TIMEOUT_MS = 5000

export interface DockerState {
  available: boolean
  version: string | null
  reason: string | null
  fix: string | null
  images: string[]
}

export interface DockerOptions {
  /** The value of DOCKER_HOST; undefined for the default socket. */
  host: string | undefined
  /** Containers of other data directories are never changed. */
  dataDir: string
}

interface Engine {
  docker: Docker
  version: string
  /** The label of this data directory. */
  dataDir: string
  /** Containers that could not be removed, because the Engine did not answer or could not. */
  unremoved: Set<string>
}

/** `state` asks the Engine each time, because it can be started and stopped at any time. */
export function createDocker({ host = DEFAULT_HOST, dataDir }: DockerOptions) {
  const label = hash('sha256', dataDir).slice(0, 16)
  const unremoved = new Set<string>()

  const state = async (): Promise<DockerState> => {
    const abortSignal = AbortSignal.timeout(STATE_TIMEOUT_MS)
    try {
      const docker = await clientOf(host)
      const [{ Version }, images] = await Promise.all([
        docker.version({ abortSignal } as never) as unknown as Promise<{ Version: string }>, // its type has no options
        docker.listImages({ abortSignal }),
      ])
      return { available: true, version: Version, reason: null, fix: null, images: namesOf(images, label) }
    } catch (error) {
      return { available: false, version: null, ...unavailability(error as Error, host), images: [] }
    }
  }
  const open = async (): Promise<MachineEngine> => {
    const { available, version, reason, fix } = await state()
    if (!available) throw new NotRun('isolation_unavailable', `${reason} ${fix}`)
    const engine = { docker: await clientOf(host), version: version!, dataDir: label, unremoved }
    return {
      name: 'docker',
      version: version!,
      create: (spec) => createMachine(engine, spec),
      snapshots: snapshotsOf(engine),
      sweep: () => sweep(engine),
      left: () => Promise.resolve(new Map()), // its machines leave nothing
      forget: () => Promise.resolve(),
    }
  }
  const build = async (image: ImageToBuild): Promise<void> => {
    const engine = { docker: await clientOf(host), version: '', dataDir: label, unremoved }
    await buildImage(engine.docker, image, (step) => runStep(engine, step))
  }
  return { state, open, build }
}

const owner = () => JSON.stringify({ pid: process.pid, born: birthOf(process.pid) })

async function createMachine(engine: Engine, spec: MachineSpec): Promise<Machine> {
  return startContainer(engine, spec, {}, async (container, started) => {
    const workdir = workdirOf(spec)
    if (workdir !== null) await makeFolder(container, userOf(spec), workdir)
    return machineOf(engine, container, spec, started)
  })
}

/** A command of a build keeps the variables and the user that the image sets, because they belong to the image that it makes. */
async function runStep(engine: Engine, step: StepCommand): Promise<string> {
  const { image, limits } = step
  const spec: MachineSpec = { id: 'build', image, profile: 'machine', workdir: null, env: {}, network: 'none', limits, labels: {} }
  return startContainer(engine, spec, { Env: [], User: '' }, async (container, { release }) => {
    try {
      return await runInContainer(container, step)
    } finally {
      release()
      await removeContainer(engine, container)
    }
  })
}

/** Removes the container if `use` fails. */
async function startContainer<Result>(
  engine: Engine,
  spec: MachineSpec,
  changes: Docker.ContainerCreateOptions,
  use: (container: Docker.Container, started: StartedContainer) => Promise<Result>,
): Promise<Result> {
  const { docker, dataDir, unremoved } = engine
  const { Id, Config } = await callEngine(docker.getImage(spec.image).inspect()).catch(throwRefusal)
  const labels = { [LABELS.dataDir]: dataDir, [LABELS.owner]: owner(), [LABELS.machine]: spec.id }
  const body = { ...containerOf(spec, labels, Config), Image: Id, ...changes }
  for (const id of unremoved) await removeContainer(engine, docker.getContainer(id)).catch(() => {}) // the next start tries again
  const container = await callEngine(docker.createContainer(body)).catch(throwRefusal)
  try {
    const input = await callEngine(container.attach({ stream: true, stdin: true, hijack: true })) // ends when this process ends
    input.on('error', () => {}) // reported by the programs
    await callEngine(container.start())
    const isolation = await verifyIsolation(engine, container, spec)
    return await use(container, { isolation, release: () => input.end() })
  } catch (error) {
    await removeContainer(engine, container).catch(() => {}) // the first error is thrown
    throw error
  }
}

const throwRefusal = (error: Error & { statusCode?: number }): never => {
  if (error.statusCode === 404) throw new NotRun('image_unavailable', `image: ${error.message}`)
  if (error.statusCode === 400) throw new NotRun('invalid_request', `Docker refuses the sandbox: ${error.message}`)
  throw error
}

async function makeFolder(container: Docker.Container, user: string, folder: string): Promise<void> {
  const { code, output } = await runInside(container, user, 'exec mkdir -p -- "$1" 2>&1', [folder])
  if (code !== 0) throw new NotRun('invalid_request', `workdir: ${folder} cannot be made: ${output.trim()}`)
}

async function removeContainer({ unremoved }: Engine, container: Docker.Container): Promise<void> {
  unremoved.add(container.id)
  await removeFromEngine(() => container.remove({ force: true, v: true }))
  unremoved.delete(container.id)
}

interface StartedContainer {
  isolation: MachineIsolation
  /** Closes the input of the container, which then ends. */
  release: () => void
}

function machineOf(engine: Engine, container: Docker.Container, spec: MachineSpec, { isolation, release }: StartedContainer): Machine {
  const { limits } = spec
  let stopReason: string | null = null
  const stop = async (why: string) => {
    if (stopReason !== null) return
    stopReason = why
    unwatch()
    release()
    await callEngineIfExists(container.kill())
  }
  const state: ContainerMachine = {
    container,
    user: userOf(spec),
    workdir: workdirOf(spec),
    marks: new Set(),
    lastMark: 0,
    outOfMemory: 0,
    isStopped: () => stopReason !== null,
    stopMachine: (why) => stop(why).catch(() => {}), // it has already ended
  }
  const unwatch =
    isolation.disk === 'watched'
      ? watchDisk(
          container,
          { limitBytes: limits.diskBytes, cpus: limits.cpus },
          (bytes) => void state.stopMachine(diskLimitExceeded(bytes, limits.diskBytes)),
        )
      : () => {}
  const requireRunning = () => {
    if (stopReason !== null) throw new NotRun('invalid_request', stopReason)
  }
  const channels = new Set<Channel>()
  return {
    isolation,
    goesOn: false,
    leave: null, // files of the profile `strict` are in memory, and the owner of a container cannot change
    traffic: () => null,
    snapshot: ENGINE_ABILITIES.docker.copies.includes(spec.profile) ? (request) => takeSnapshot(container, spec, request) : null,
    async open(program) {
      requireRunning()
      requireProgram(program)
      const channel = await openChannel(state, program)
      channels.add(channel)
      void channel.exit.then(() => channels.delete(channel))
      return channel
    },
    async write(path, content, mode) {
      requireRunning()
      await writeInside(state, path, content, { mode, limitBytes: limits.fileBytes })
    },
    async read(path): Promise<Readable> {
      requireRunning()
      return readInside(state, path)
    },
    usage: () => usageOf(container, stopReason !== null),
    async endPrograms() {
      await Promise.all([...channels].map((channel) => channel.end()))
    },
    stop: () => stop('The machine has been stopped.'),
    async remove() {
      await stop('The machine has been removed.').finally(() => removeContainer(engine, container))
    },
  }
}

/** Reads the isolation from the container and the Engine, and not from the request. */
async function verifyIsolation({ version }: Engine, container: Docker.Container, spec: MachineSpec): Promise<MachineIsolation> {
  const { HostConfig } = await callEngine(container.inspect())
  const script = 'id -u; grep -E "^(Seccomp|NoNewPrivs):" /proc/self/status; ls /sys/class/net'
  const { output } = await runInside(container, userOf(spec), script, [])
  const lines = output.split(/\s+/)
  const value = (name: string) => lines[lines.indexOf(name) + 1]
  if (value('NoNewPrivs:') !== '1')
    throw new NotRun(
      'isolation_unavailable',
      'Programs in Docker containers can gain privileges on this system (no-new-privileges is not set).',
    )
  if (value('Seccomp:') !== '2' || !HostConfig.SecurityOpt?.includes(seccompOption))
    throw new NotRun(
      'isolation_unavailable',
      'This Docker Engine does not filter the system calls of containers as requested. Use an Engine with seccomp (see `docker info`).',
    )
  return {
    engine: 'docker',
    version,
    network: HostConfig.NetworkMode === 'none' ? 'none' : 'open',
    user: lines[0] ?? '',
    memory: HostConfig.Memory ? 'together' : 'none',
    cpus: HostConfig.NanoCpus ? 'enforced' : 'none',
    processes: HostConfig.PidsLimit ? 'enforced' : 'none',
    disk: spec.profile === 'strict' ? 'enforced' : 'watched',
    systemCalls: 'filtered',
  }
}

interface Stats {
  cpu_stats?: { cpu_usage?: { total_usage?: number } }
  memory_stats?: { usage?: number }
  pids_stats?: { current?: number }
}

async function usageOf(container: Docker.Container, isStopped: boolean): Promise<MachineUsage> {
  const nothing = { cpuSeconds: null, memoryBytes: null, processes: isStopped ? 0 : null, diskBytes: null }
  if (isStopped) return nothing
  try {
    const [stats, diskBytes] = await Promise.all([
      container.stats({ stream: false, 'one-shot': true } as { stream: false }) as Promise<Stats>,
      writtenBytes(container),
    ])
    const nanoseconds = stats.cpu_stats?.cpu_usage?.total_usage
    return {
      cpuSeconds: nanoseconds === undefined ? null : nanoseconds / 1e9,
      memoryBytes: stats.memory_stats?.usage ?? null,
      processes: stats.pids_stats?.current ?? null,
      diskBytes,
    }
  } catch {
    return nothing // the container has ended
  }
}

/** Removes the containers of this data directory whose owner has died; returns their number. */
async function sweep(engine: Engine): Promise<number> {
  const { docker, dataDir } = engine
  const ours = await callEngine(docker.listContainers({ all: true, filters: { label: [`${LABELS.dataDir}=${dataDir}`] } }))
  const abandoned = ours.filter(({ Labels }) => {
    try {
      return !isAlive(JSON.parse(Labels[LABELS.owner] ?? '') as { pid: number; born: string })
    } catch {
      return true // not a label that we write
    }
  })
  await Promise.all(abandoned.map(({ Id }) => removeContainer(engine, docker.getContainer(Id))))
  return abandoned.length
}
