/** Machines in containers of a Docker Engine. Nothing is pulled. */
import { hash } from 'node:crypto'
import { PassThrough, Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import Docker from 'dockerode'
import { birthOf, isAlive } from '#server/process/marks.ts'
import { type Machine, type MachineEngine, type MachineIsolation, type MachineSpec, type MachineUsage, NotRun } from '../sandbox/index.ts'
import { openChannel } from './channel.ts'
import { containerOf, LABELS, userOf, workdirOf } from './container.ts'
import { demultiplexed, ended, runInside } from './inside.ts'

const INSTALL = 'Install Docker Engine (apt-get install docker.io) or start it, and let this user reach its socket.'

export interface DockerState {
  available: boolean
  version: string | null
  reason: string | null
  images: string[]
}

export interface DockerOptions {
  /** DOCKER_HOST, as it is set; undefined: the default socket. */
  host: string | undefined
  /** The data directory: containers of another one are left alone. */
  home: string
}

/** The Engine is asked again each time: it comes and goes by itself. */
export function createDocker({ host, home }: DockerOptions) {
  const docker = clientOf(host)
  const label = hash('sha256', home).slice(0, 16)

  const state = async (): Promise<DockerState> => {
    try {
      const [{ Version }, images] = await Promise.all([docker.version(), docker.listImages()])
      const names = images.flatMap(({ RepoTags }) => RepoTags ?? []).filter((name) => !name.includes('<none>'))
      return { available: true, version: Version, reason: null, images: names.toSorted() }
    } catch (error) {
      return { available: false, version: null, reason: `Docker does not answer (${(error as Error).message}). ${INSTALL}`, images: [] }
    }
  }
  const open = async (): Promise<MachineEngine> => {
    const { available, version, reason } = await state()
    if (!available) throw new NotRun('isolation_unavailable', reason!)
    return {
      name: 'docker',
      version: version!,
      create: (spec) => createMachine(docker, version!, label, spec),
      snapshots: null,
      sweep: () => sweep(docker, label),
    }
  }
  return { state, open }
}

function clientOf(host: string | undefined): Docker {
  if (host === undefined) return new Docker({ socketPath: '/var/run/docker.sock' })
  if (host.startsWith('unix://')) return new Docker({ socketPath: host.slice('unix://'.length) })
  const url = new URL(host.replace(/^tcp:/, 'http:'))
  return new Docker({ protocol: url.protocol === 'https:' ? 'https' : 'http', host: url.hostname, port: Number(url.port || 2375) })
}

const owner = () => JSON.stringify({ pid: process.pid, born: birthOf(process.pid) })

async function createMachine(docker: Docker, version: string, home: string, spec: MachineSpec): Promise<Machine> {
  const body = containerOf(spec, { [LABELS.home]: home, [LABELS.owner]: owner(), [LABELS.machine]: spec.id })
  const container = await docker.createContainer(body)
  try {
    const held = await container.attach({ stream: true, stdin: true, hijack: true }) // its end is our end
    await container.start()
    const isolation = await applied(docker, container, version, spec)
    const user = userOf(spec)
    const workdir = workdirOf(spec)
    if (workdir !== null && spec.profile === 'machine') await runInside(docker, container, user, 'mkdir -p -- "$1"', [workdir])
    return machineOf(docker, container, { user, workdir, isolation, release: () => held.end() })
  } catch (error) {
    await container.remove({ force: true }).catch(() => {}) // what failed is told
    throw error
  }
}

interface Held {
  user: string
  workdir: string | null
  isolation: MachineIsolation
  release: () => void
}

function machineOf(docker: Docker, container: Docker.Container, { user, workdir, isolation, release }: Held): Machine {
  const place = { docker, container, user, workdir }
  let isStopped = false
  const stop = async () => {
    if (isStopped) return
    isStopped = true
    release()
    await container.kill().catch(ifGone)
  }
  return {
    isolation,
    traffic: () => null,
    snapshot: null,
    async open(program) {
      if (isStopped) throw new NotRun('invalid_request', 'The sandbox has been stopped.')
      return openChannel(place, program)
    },
    async write(path, content, mode) {
      const exec = await container.exec({
        Cmd: ['/bin/sh', '-c', WRITE, 'sh', path, mode.toString(8)],
        AttachStdin: true,
        AttachStdout: true,
        AttachStderr: true,
        User: user,
      })
      const stream = await exec.start({ hijack: true, stdin: true })
      const { output, errors } = demultiplexed(docker, stream)
      output.resume()
      const said: Buffer[] = []
      errors.on('data', (bytes: Buffer) => said.push(bytes))
      await pipeline(Buffer.isBuffer(content) ? Readable.from([content]) : content, stream as unknown as NodeJS.WritableStream)
      if ((await ended(exec)) !== 0) throw refused(path, said)
    },
    async read(path) {
      const { code, output: said } = await runInside(docker, container, user, CHECK, [path])
      if (code !== 0) throw refused(path, [Buffer.from(said)])
      const exec = await container.exec({ Cmd: ['/bin/cat', '--', path], AttachStdout: true, AttachStderr: true, User: user })
      const { output, errors } = demultiplexed(docker, await exec.start({ hijack: true, stdin: false }))
      errors.resume()
      return output.pipe(new PassThrough())
    },
    usage: () => usageOf(container),
    stop,
    async remove() {
      await stop()
      await container.remove({ force: true, v: true }).catch(ifGone)
    },
  }
}

/** Links on the way are refused; they could lead nowhere but inside. */
const WALK = `walk() { p=; IFS=/; set -f; for part in $1; do [ -z "$part" ] && continue; [ "$part" = .. ] && { echo "$p/.. leads out" >&2; exit 3; }; p="$p/$part"; [ -L "$p" ] && { echo "$p is a link" >&2; exit 3; }; done; unset IFS; }; walk "$1"`
const WRITE = `${WALK}; [ -d "$1" ] && { echo "$1 is a folder" >&2; exit 3; }; mkdir -p -- "$(dirname -- "$1")" && rm -f -- "$1" && cat >"$1" && chmod "$2" "$1"`
const CHECK = `exec 2>&1; ${WALK}; [ -f "$1" ] || { echo "$1 is no file"; exit 3; }; [ -r "$1" ] || { echo "$1 cannot be read"; exit 3; }`

const refused = (path: string, said: readonly Buffer[]) =>
  new NotRun('invalid_request', `${path} cannot be used: ${Buffer.concat(said).toString('utf8').trim() || 'the container refused it'}.`)

const ifGone = (error: { statusCode?: number }) => {
  if (error.statusCode !== 404 && error.statusCode !== 409 && error.statusCode !== 304) throw error
}

/** Looked at in the container and the Engine, not taken from what was asked. */
async function applied(docker: Docker, container: Docker.Container, version: string, spec: MachineSpec): Promise<MachineIsolation> {
  const { HostConfig } = await container.inspect()
  const { output } = await runInside(
    docker,
    container,
    userOf(spec),
    'id -u; grep -E "^(Seccomp|NoNewPrivs):" /proc/self/status; ls /sys/class/net',
    [],
  )
  const lines = output.split(/\s+/)
  const value = (name: string) => lines[lines.indexOf(name) + 1]
  if (value('NoNewPrivs:') !== '1')
    throw new NotRun('isolation_unavailable', 'Docker starts programs that can gain privileges here (no-new-privileges is not set).')
  if (spec.network === 'none' && /\b(eth|en)\w*\d/.test(output))
    throw new NotRun('isolation_unavailable', 'Docker gave the container a network although it was to have none.')
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

async function usageOf(container: Docker.Container): Promise<MachineUsage> {
  const nothing = { cpuSeconds: null, memoryBytes: null, processes: null, diskBytes: null }
  try {
    const stats = (await container.stats({ stream: false, 'one-shot': true } as { stream: false })) as Stats
    const info = (await container.inspect({ size: true } as object)) as { SizeRw?: number }
    const nanoseconds = stats.cpu_stats?.cpu_usage?.total_usage
    return {
      cpuSeconds: nanoseconds === undefined ? null : nanoseconds / 1e9,
      memoryBytes: stats.memory_stats?.usage ?? null,
      processes: stats.pids_stats?.current ?? null,
      diskBytes: info.SizeRw ?? null,
    }
  } catch {
    return nothing // it has ended
  }
}

/** Containers of this data directory whose owner is dead. */
async function sweep(docker: Docker, home: string): Promise<number> {
  const ours = await docker.listContainers({ all: true, filters: { label: [`${LABELS.home}=${home}`] } })
  const left = ours.filter(({ Labels }) => {
    try {
      return !isAlive(JSON.parse(Labels[LABELS.owner] ?? '') as { pid: number; born: string })
    } catch {
      return true // not a label that we write
    }
  })
  await Promise.all(left.map(({ Id }) => docker.getContainer(Id).remove({ force: true, v: true }).catch(ifGone)))
  return left.length
}
