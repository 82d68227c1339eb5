/** Machines in containers of a Docker Engine. Nothing is pulled. */
import { hash } from 'node:crypto'
import type { Readable } from 'node:stream'
import type Docker from 'dockerode'
import { birthOf, isAlive } from '#server/process/marks.ts'
import {
  type Channel,
  type Machine,
  type MachineEngine,
  type MachineIsolation,
  type MachineSpec,
  type MachineUsage,
  NotRun,
} from '../sandbox/index.ts'
import { requireAbsolute, requireEnv } from '../sandbox/requests.ts'
import { buildImage, type ImageToBuild } from './build.ts'
import { openChannel, type Place } from './channel.ts'
import { ask, askIfThere, clientOf, DEFAULT_HOST, whyNot } from './client.ts'
import { containerOf, LABELS, userOf, workdirOf } from './container.ts'
import { watchDisk, writtenBytes } from './disk-watch.ts'
import { readInside, writeInside } from './files.ts'
import { runInside } from './inside.ts'
import { namesOf, snapshotsOf, takeSnapshot } from './snapshots.ts'

/** An Engine that is stopped in the middle of an answer does not refuse; it stays silent. */
const STATE_TIMEOUT_MS = 5000

export interface DockerState {
  available: boolean
  version: string | null
  reason: string | null
  fix: string | null
  images: string[]
}

export interface DockerOptions {
  /** DOCKER_HOST, as it is set; undefined: the default socket. */
  host: string | undefined
  /** The data directory: containers of another one are not touched. */
  dataDir: string
}

interface Engine {
  docker: Docker
  version: string
  /** The label of this data directory. */
  dataDir: string
  /** Containers that could not be removed, because the Engine did not answer. */
  left: Set<string>
}

/** The Engine is asked again each time: it comes and goes by itself. */
export function createDocker({ host = DEFAULT_HOST, dataDir }: DockerOptions) {
  const docker = clientOf(host)
  const label = hash('sha256', dataDir).slice(0, 16)
  const left = new Set<string>()

  const state = async (): Promise<DockerState> => {
    const abortSignal = AbortSignal.timeout(STATE_TIMEOUT_MS)
    try {
      const [{ Version }, images] = await Promise.all([
        docker.version({ abortSignal } as never) as unknown as Promise<{ Version: string }>, // its type knows no options,
        docker.listImages({ abortSignal }),
      ])
      return { available: true, version: Version, reason: null, fix: null, images: namesOf(images, label) }
    } catch (error) {
      return { available: false, version: null, ...whyNot(error as Error, host), images: [] }
    }
  }
  const open = async (): Promise<MachineEngine> => {
    const { available, version, reason, fix } = await state()
    if (!available) throw new NotRun('isolation_unavailable', `${reason} ${fix}`)
    const engine = { docker, version: version!, dataDir: label, left }
    return {
      name: 'docker',
      version: version!,
      create: (spec) => createMachine(engine, spec),
      snapshots: snapshotsOf(engine),
      sweep: () => sweep(engine),
    }
  }
  return { state, open, build: (image: ImageToBuild) => buildImage(docker, image) }
}

const owner = () => JSON.stringify({ pid: process.pid, born: birthOf(process.pid) })

async function createMachine(engine: Engine, spec: MachineSpec): Promise<Machine> {
  const { docker, dataDir, left } = engine
  const body = containerOf(spec, { [LABELS.dataDir]: dataDir, [LABELS.owner]: owner(), [LABELS.machine]: spec.id })
  for (const id of left) await removeContainer(engine, docker.getContainer(id))
  const container = await ask(docker.createContainer(body)).catch(refused)
  try {
    const input = await ask(container.attach({ stream: true, stdin: true, hijack: true })) // its end is our end
    input.on('error', () => {}) // the programs report the failure
    await ask(container.start())
    const isolation = await applied(engine, container, spec)
    const workdir = workdirOf(spec)
    if (workdir !== null) await makeFolder(container, userOf(spec), workdir)
    return machineOf(engine, container, spec, { isolation, release: () => input.end() })
  } catch (error) {
    await removeContainer(engine, container).catch(() => {}) // the failure itself is thrown
    throw error
  }
}

const refused = (error: Error & { statusCode?: number }) => {
  if (error.statusCode === 404) throw new NotRun('image_unavailable', `image: ${error.message}`)
  if (error.statusCode === 400) throw new NotRun('invalid_request', `Docker refuses the sandbox: ${error.message}`)
  throw error
}

async function makeFolder(container: Docker.Container, user: string, folder: string): Promise<void> {
  const { code, output } = await runInside(container, user, 'exec mkdir -p -- "$1" 2>&1', [folder])
  if (code !== 0) throw new NotRun('invalid_request', `workdir: ${folder} cannot be made: ${output.trim()}`)
}

async function removeContainer({ left }: Engine, container: Docker.Container): Promise<void> {
  left.add(container.id)
  await askIfThere(container.remove({ force: true, v: true }))
  left.delete(container.id)
}

interface Started {
  isolation: MachineIsolation
  /** Closes the input of the container, which stays open while the container should run. */
  release: () => void
}

function machineOf(engine: Engine, container: Docker.Container, spec: MachineSpec, { isolation, release }: Started): Machine {
  const { limits } = spec
  let stopped: string | null = null
  const stop = async (why: string) => {
    if (stopped !== null) return
    stopped = why
    unwatch()
    release()
    await askIfThere(container.kill())
  }
  const place: Place = {
    container,
    user: userOf(spec),
    workdir: workdirOf(spec),
    marks: new Set(),
    lastMark: 0,
    outOfMemory: 0,
    isStopped: () => stopped !== null,
    giveUp: (why) => stop(why).catch(() => {}), // it ended by itself
  }
  const unwatch =
    isolation.disk === 'watched'
      ? watchDisk(container, limits.diskBytes, (bytes) => void place.giveUp(overFull(bytes, limits.diskBytes)))
      : () => {}
  const requireRunning = () => {
    if (stopped !== null) throw new NotRun('invalid_request', stopped)
  }
  const channels = new Set<Channel>()
  return {
    isolation,
    traffic: () => null,
    snapshot: spec.profile === 'strict' ? null : (request) => takeSnapshot(container, spec, request),
    async open(program) {
      requireRunning()
      requireEnv(program.env ?? {})
      if (program.cwd !== undefined) requireAbsolute(program.cwd, 'cwd')
      if (program.argv.length === 0) throw new NotRun('invalid_request', 'argv: there is no program.')
      const channel = await openChannel(place, program)
      channels.add(channel)
      void channel.exit.then(() => channels.delete(channel))
      return channel
    },
    async write(path, content, mode) {
      requireRunning()
      await writeInside(place, path, content, { mode, limitBytes: limits.fileBytes })
    },
    async read(path): Promise<Readable> {
      requireRunning()
      return readInside(place, path)
    },
    usage: () => usageOf(container, stopped !== null),
    async endPrograms() {
      await Promise.all([...channels].map((channel) => channel.end()))
    },
    stop: () => stop('The machine has been stopped.'),
    async remove() {
      await stop('The machine has been removed.').finally(() => removeContainer(engine, container))
    },
  }
}

const overFull = (bytes: number, limit: number) =>
  `The machine was stopped: its files took ${bytes} bytes of the disk, and ${limit} are allowed.`

/** Looked at in the container and the Engine, not taken from what was asked. */
async function applied({ version }: Engine, container: Docker.Container, spec: MachineSpec): Promise<MachineIsolation> {
  const { HostConfig } = await ask(container.inspect())
  const script = 'id -u; grep -E "^(Seccomp|NoNewPrivs):" /proc/self/status; ls /sys/class/net'
  const { output } = await runInside(container, userOf(spec), script, [])
  const lines = output.split(/\s+/)
  const value = (name: string) => lines[lines.indexOf(name) + 1]
  if (value('NoNewPrivs:') !== '1')
    throw new NotRun('isolation_unavailable', 'Docker starts programs that can gain privileges here (no-new-privileges is not set).')
  return {
    engine: 'docker',
    version,
    network: HostConfig.NetworkMode === 'none' ? 'none' : 'open',
    user: lines[0] ?? '',
    memory: HostConfig.Memory ? 'together' : 'none',
    cpus: HostConfig.NanoCpus ? 'enforced' : 'none',
    processes: HostConfig.PidsLimit ? 'enforced' : 'none',
    disk: spec.profile === 'strict' ? 'enforced' : 'watched',
    systemCalls: value('Seccomp:') === '2' ? 'filtered' : 'all',
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
    return nothing // it has ended
  }
}

/** Containers of this data directory whose owner is dead. */
async function sweep(engine: Engine): Promise<number> {
  const { docker, dataDir } = engine
  const ours = await ask(docker.listContainers({ all: true, filters: { label: [`${LABELS.dataDir}=${dataDir}`] } }))
  const left = ours.filter(({ Labels }) => {
    try {
      return !isAlive(JSON.parse(Labels[LABELS.owner] ?? '') as { pid: number; born: string })
    } catch {
      return true // not a label that we write
    }
  })
  await Promise.all(left.map(({ Id }) => removeContainer(engine, docker.getContainer(Id))))
  return left.length
}
