/** Machines by bubblewrap: a folder for each, and for each program a bwrap of its own over that folder. */
import fs from 'node:fs'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runToEnd } from '#server/process/run-to-end.ts'
import { descendantsOf } from '#server/process/marks.ts'
import type {
  Channel,
  Machine,
  MachineEngine,
  MachineIsolation,
  MachineProgram,
  MachineSpec,
  Snapshot,
  SnapshotRequest,
} from '../sandbox/machine.ts'
import { requireAbsolute, requireEnv } from '../sandbox/requests.ts'
import { NotRun } from '../sandbox/types.ts'
import { type Box, createBox, sweepBoxes } from './boxes.ts'
import { CERTIFICATES } from './certificates.ts'
import { openChannel, type OpenChannel } from './channel.ts'
import { type Gateway, GATEWAY_PROBE, openGateway } from './gateway.ts'
import { type DiskWatch, usedBytes, watchDisks } from './disk-watch.ts'
import { removeDeadGroups } from './groups.ts'
import { makeFolderInside, readInside, writeInside } from './inside.ts'
import { insideUser, type Means } from './launch.ts'
import { fillFolders, machineOptions, requireSpec, userOf, workdirOf } from './machine-root.ts'
import { endOrphans } from './orphans.ts'
import { whilePaused } from './pause.ts'
import { findMeans, holesIn, probe } from './probe.ts'
import { openSnapshots, type SnapshotStore } from './snapshots.ts'

/**
 * `records`: a folder of this process's own, in which each machine has a folder with its owner. Throws `NotRun` with what is
 * missing; both profiles are proved by a program that tries to get out.
 */
export async function openBubblewrapMachines(records: string, snapshotFolder: string | null): Promise<MachineEngine> {
  const { means, version } = await findMeans()
  const watch = watchDisks(means)
  const snapshots = snapshotFolder === null ? null : openSnapshots(means, snapshotFolder)
  const requireSnapshot = (name: string) => {
    if (snapshots) return snapshots.require(name)
    throw new NotRun('image_unavailable', `image: there is no ${JSON.stringify(name)} here, only "host".`)
  }
  const create = async (spec: MachineSpec) => {
    const snapshot = spec.image === 'host' ? null : requireSnapshot(spec.image)
    requireSpec(spec, snapshot)
    const box = createBox(means, records, spec)
    let gateway: Gateway | null = null
    let machine: Machine | null = null
    try {
      if (!snapshot) fillFolders(box, spec, insideUser())
      else {
        await snapshots!.copyTo(snapshot.name, box)
        makeFolderInside(box.root, workdirOf(spec), { mode: 0o755, owner: insideUser(), limitBytes: 0 })
      }
      const list = typeof spec.network === 'object' ? spec.network : null
      const endpoints = spec.endpoints ?? []
      if (list && CERTIFICATES !== null) await writeOwn(box.root, CERTIFICATES, fs.createReadStream(CERTIFICATES))
      if (list || endpoints.length > 0) gateway = await openGateway(means, { folder: box.folder, list, endpoints })
      machine = startMachine({ means, watch, version, spec, box, gateway, snapshots })
      if (gateway) await prove(machine, spec.profile, list ? GATEWAY_PROBE : '')
      gateway?.resetTraffic()
      return machine
    } catch (error) {
      if (machine) await machine.remove()
      else {
        await gateway?.close()
        await box.remove()
      }
      if (error instanceof NotRun) throw error
      throw new Error(`A machine could not be made in ${box.folder}: ${(error as Error).message}`, { cause: error })
    }
  }
  for (const profile of ['machine', 'strict'] as const) {
    const machine = await create(proving(profile))
    try {
      await prove(machine, profile)
    } finally {
      await machine.remove()
    }
  }
  return {
    name: 'bubblewrap',
    version,
    create,
    snapshots,
    async sweep() {
      endOrphans(means.bwrap)
      removeDeadGroups()
      await snapshots?.sweep()
      return sweepBoxes(means, records)
    },
  }
}

const MB = 1024 * 1024
const proving = (profile: MachineSpec['profile']): MachineSpec => ({
  id: 'probe',
  image: 'host',
  profile,
  workdir: null,
  env: {},
  network: 'none',
  limits: { memoryBytes: 64 * MB, cpus: 1, processes: 32, diskBytes: 16 * MB, openFiles: 64, fileBytes: 16 * MB },
  labels: {},
})

/** `more`: for bash, as `probe`. */
async function prove(machine: Machine, profile: MachineSpec['profile'], more = ''): Promise<void> {
  const places =
    profile === 'machine'
      ? { hidden: ['/etc/shadow', '/sys', '/boot', '/var/lib'], closed: ['/usr', '/dev', '/proc'] }
      : { hidden: ['/etc/shadow', '/root', '/sys', '/boot', '/var/lib'], closed: ['/', '/usr', '/etc', '/dev', '/proc'] }
  const channel = await machine.open({
    argv: [more === '' ? '/bin/sh' : '/bin/bash', '-c', more + probe({ uid: profile === 'machine' ? 0 : 1000, ...places })],
    terminal: null,
  })
  channel.input.end()
  const [stdout, stderr, { code, signal }] = await Promise.all([text(channel.output), text(channel.errors!), channel.exit])
  const holes = holesIn({ exitCode: code, signal, stdout, stderr })
  if (holes !== null)
    throw new NotRun('isolation_unavailable', `The isolation of bubblewrap does not hold on this system (profile ${profile}): ${holes}.`)
}

const writeOwn = (root: string, place: string, content: Readable) =>
  writeInside(root, place, content, { mode: 0o644, owner: insideUser(), limitBytes: Infinity })

interface Parts {
  means: Means
  watch: DiskWatch
  version: string
  spec: MachineSpec
  /** Filled. */
  box: Box
  /** Null: the machine reaches nothing. */
  gateway: Gateway | null
  snapshots: SnapshotStore | null
}

function startMachine({ means, watch, version, spec, box, gateway, snapshots }: Parts): Machine {
  const { limits } = spec
  const owner = insideUser()
  const group = means.groups?.(limits) ?? null
  const isolation: MachineIsolation = {
    engine: 'bubblewrap',
    version,
    network: typeof spec.network === 'object' ? 'allow-list' : 'none',
    user: userOf(spec),
    memory: group ? 'together' : 'each',
    cpus: group?.boundsCpus ? 'enforced' : 'none',
    processes: 'enforced',
    disk: 'watched',
    systemCalls: 'filtered',
  }
  const channels = new Set<OpenChannel>()
  const starting = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  let stopped: string | null = null
  /** Resolves when programs may start again. */
  let paused: Promise<unknown> = Promise.resolve()
  let unwatch: (() => void) | null = null

  const processes = () => group?.processes() ?? [...channels].flatMap(({ first }) => [first, ...descendantsOf(first)])
  const watched = {
    folder: box.folder,
    limitBytes: limits.diskBytes,
    processes,
    onOver: (bytes: number) => void stop(overFull(bytes, limits.diskBytes)),
  }
  const requireRunning = () => {
    if (stopped !== null) throw new NotRun('invalid_request', stopped)
  }
  const before = [
    means.prlimit,
    `--nofile=${limits.openFiles}`,
    `--fsize=${limits.fileBytes}`,
    '--core=0',
    ...(group ? [] : [`--as=${limits.memoryBytes}`]),
    '--',
  ]
  async function endPrograms(): Promise<void> {
    await Promise.allSettled(starting)
    await Promise.allSettled([...channels].map((channel) => channel.end()))
  }
  async function stop(why: string): Promise<void> {
    stopped ??= why
    stopping.abort()
    await endPrograms()
  }
  async function open(program: MachineProgram): Promise<Channel> {
    const channel = await openChannel(means, {
      options: machineOptions(box, spec, program),
      before: [...(gateway?.enter() ?? []), ...before],
      program,
      signal: stopping.signal,
      outOfMemory: () => group?.outOfMemory() ?? 0,
      onBorn(pid) {
        gateway?.requireInside(pid)
        return group ? group.add(pid) : limitProcesses(means, pid, limits.processes)
      },
    }).catch((error: unknown) => {
      requireRunning()
      throw error
    })
    channels.add(channel)
    unwatch ??= watch.add(watched)
    const gone = () => {
      channels.delete(channel)
      if (channels.size === 0) unwatch = (unwatch?.(), null)
    }
    channel.exit.then(gone, gone)
    if (stopped !== null) await channel.end()
    requireRunning()
    return channel
  }
  async function snapshot(request: SnapshotRequest): Promise<Snapshot> {
    requireRunning()
    await Promise.allSettled(starting)
    const taken = whilePaused(processes, () => snapshots!.take(request, { ...box, spec }))
    paused = taken.catch(() => undefined)
    return taken
  }
  return {
    isolation,
    async open(program) {
      requireRunning()
      requireEnv(program.env ?? {})
      if (program.cwd !== undefined) requireAbsolute(program.cwd, 'cwd')
      if (program.argv.length === 0) throw new NotRun('invalid_request', 'argv: there is no program.')
      const opening = paused.then(() => open(program))
      starting.add(opening)
      return opening.finally(() => starting.delete(opening))
    },
    write: (place, content, mode) => writeInside(box.root, place, content, { mode, owner, limitBytes: limits.fileBytes }),
    read: (place) => readInside(box.root, place),
    async usage() {
      const diskBytes = watch.bytesOf(watched) ?? (await usedBytes(means, [watched]))[0] ?? null
      return { cpuSeconds: null, memoryBytes: null, ...group?.usage(), processes: processes().length, diskBytes }
    },
    snapshot: snapshots && snapshot,
    traffic: () => gateway?.traffic() ?? null,
    endPrograms,
    stop: () => stop('The machine has been stopped.'),
    async remove() {
      await stop('The machine has been removed.')
      await gateway?.close()
      await group?.remove()
      await box.remove()
    },
  }
}

const overFull = (bytes: number, limit: number) =>
  `The machine was stopped: its files took ${bytes} bytes of the disk, and ${limit} are allowed.`

/** Without a control group, for each program by itself. Set from outside: what is inside may have changed the tools. */
async function limitProcesses({ prlimit }: Means, pid: number, processes: number): Promise<void> {
  const args = ['--pid', String(pid), `--nproc=${processes}`]
  const { code, stderr } = await runToEnd({ command: prlimit, args, cwd: '/', env: {}, deadlineMs: 5000, graceMs: 0 })
  if (code !== 0) throw new Error(stderr.trim())
}
