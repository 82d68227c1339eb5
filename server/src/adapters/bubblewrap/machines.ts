/** Machines by bubblewrap: each machine is a folder, and each of its programs runs in a separate bwrap with that folder as root. */
import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runToEnd } from '#server/process/run-to-end.ts'
import { descendantsOf } from '#server/process/marks.ts'
import { isWithin } from '#server/within.ts'
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
import { diskLimitExceeded, requireProgram } from '../sandbox/requests.ts'
import { NotRun } from '../sandbox/types.ts'
import { type Box, createBox, forgetBoxes, measureLeft, sweepBoxes, takeOverBox } from './boxes.ts'
import { CERTIFICATES } from './certificates.ts'
import { openChannel, type OpenChannel } from './channel.ts'
import { type Gateway, GATEWAY_PROBE, openGateway } from './gateway.ts'
import { type DiskWatch, usedBytes, watchDisks } from './disk-watch.ts'
import { removeDeadGroups } from './groups.ts'
import { makeFolderInside, readInside, writeInside } from './inside.ts'
import { insideUser, type BubblewrapTools } from './launch.ts'
import { fillFolders, machineOptions, requireSpec, userOf, workdirOf } from './machine-root.ts'
import { endOrphans } from './orphans.ts'
import { whilePaused } from './pause.ts'
import type { Group } from './groups.ts'
import { findTools, isolationFailure, probeScript } from './probe.ts'
import { affinityCommand, showMemory } from './shown-limits.ts'
import { openSnapshots, type SnapshotStore } from './snapshots.ts'

/**
 * `records`: a folder in which each machine has a subfolder that names its owner process. Tests both profiles with a
 * program that tries to escape. Throws `NotRun` if something is missing or the isolation does not work.
 */
export async function openBubblewrapMachines(records: string, snapshotFolder: string | null): Promise<MachineEngine> {
  const { tools, version } = await findTools()
  const watch = watchDisks(tools)
  const snapshots = snapshotFolder === null ? null : openSnapshots(tools, snapshotFolder)
  const requireSnapshot = (name: string) => {
    if (snapshots) return snapshots.require(name)
    throw new NotRun('image_unavailable', `image: ${JSON.stringify(name)} does not exist; the only image is "host".`)
  }
  const create = async (spec: MachineSpec) => {
    const snapshot = spec.image === 'host' ? null : requireSnapshot(spec.image)
    requireSpec(spec, snapshot)
    const left = await takeOverBox(tools, records, spec)
    const box = left ?? createBox(tools, records, spec)
    let gateway: Gateway | null = null
    let machine: Machine | null = null
    try {
      if (left) removeSockets(box)
      else if (!snapshot) await fillFolders(box, spec, insideUser())
      else {
        await snapshots!.copyTo(snapshot.name, box)
        await makeFolderInside(box.root, workdirOf(spec), insideUser())
      }
      const list = typeof spec.network === 'object' ? spec.network : null
      const endpoints = spec.endpoints ?? []
      if (list && CERTIFICATES !== null) await writeSystemFile(box.root, CERTIFICATES, fs.createReadStream(CERTIFICATES))
      if (list || endpoints.length > 0) gateway = await openGateway(tools, { folder: box.folder, list, endpoints })
      machine = startMachine({ tools, watch, version, spec, box, goesOn: left !== null, gateway, snapshots })
      if (gateway) await requireIsolation(machine, spec, list ? GATEWAY_PROBE : '')
      gateway?.resetTraffic()
      return machine
    } catch (error) {
      const leaves = left !== null // what an earlier machine left is not lost because this one does not start
      if (machine) await (leaves ? machine.leave!() : machine.remove())
      else {
        await gateway?.close()
        if (leaves) box.leave()
        else await box.remove()
      }
      if (error instanceof NotRun) throw error
      throw new Error(`Couldn't create a machine in ${box.folder}: ${(error as Error).message}`, { cause: error })
    }
  }
  for (const profile of ['machine', 'strict'] as const) {
    const spec = probeSpec(profile)
    const machine = await create(spec)
    try {
      await requireIsolation(machine, spec)
    } finally {
      await machine.remove()
    }
  }
  return {
    name: 'bubblewrap',
    version,
    create,
    snapshots,
    left: () => measureLeft(tools, records),
    forget: (name) => forgetBoxes(tools, records, name),
    async sweep(isNeeded = () => false) {
      endOrphans(tools.bwrap)
      removeDeadGroups()
      await snapshots?.sweep()
      return sweepBoxes(tools, records, isNeeded)
    },
  }
}

const MB = 1024 * 1024
const probeSpec = (profile: MachineSpec['profile']): MachineSpec => ({
  id: 'probe',
  image: 'host',
  profile,
  workdir: null,
  env: {},
  network: 'none',
  limits: { memoryBytes: 64 * MB, cpus: 1, processes: 32, diskBytes: 16 * MB, openFiles: 64, fileBytes: 16 * MB },
  labels: {},
})

/** `extraScript`: further tests for bash that print a line for each failure, like `probeScript`. */
async function requireIsolation(
  machine: Machine,
  { profile, readOnly = [] }: Pick<MachineSpec, 'profile' | 'readOnly'>,
  extraScript = '',
): Promise<void> {
  const places =
    profile === 'machine'
      ? { hidden: ['/etc/shadow', '/sys', '/boot', '/var/lib'], unwritable: ['/usr', '/dev', '/proc'] }
      : { hidden: ['/etc/shadow', '/root', '/sys', '/boot', '/var/lib'], unwritable: ['/', '/usr', '/etc', '/dev', '/proc'] }
  // a folder that is shown has empty folders above it
  const hidden = places.hidden.filter((place) => !readOnly.some((folder) => isWithin(place, folder.place)))
  const channel = await machine.open({
    argv: [
      extraScript === '' ? '/bin/sh' : '/bin/bash',
      '-c',
      extraScript + probeScript({ uid: profile === 'machine' ? 0 : 1000, ...places, hidden }),
    ],
    terminal: null,
  })
  channel.input.end()
  const [stdout, stderr, { code, signal }] = await Promise.all([text(channel.output), text(channel.errors!), channel.exit])
  const holes = isolationFailure({ exitCode: code, signal, stdout, stderr })
  if (holes !== null)
    throw new NotRun('isolation_unavailable', `The isolation of bubblewrap does not work on this system (profile ${profile}): ${holes}.`)
}

/** A gateway makes its sockets anew; the folder beside the machine's files has nothing else. */
function removeSockets({ folder }: Box): void {
  for (const name of fs.readdirSync(folder)) if (!['r', 's'].includes(name)) fs.rmSync(path.join(folder, name), { force: true })
}

const writeSystemFile = (root: string, place: string, content: Readable) =>
  writeInside(root, place, content, { mode: 0o644, owner: insideUser(), limitBytes: Infinity })

interface MachineParts {
  tools: BubblewrapTools
  watch: DiskWatch
  version: string
  spec: MachineSpec
  /** Already contains the files of the machine. */
  box: Box
  /** Whether the files are those of an earlier machine. */
  goesOn: boolean
  /** Null if the machine has no network. */
  gateway: Gateway | null
  snapshots: SnapshotStore | null
}

const isolationOf = (spec: MachineSpec, group: Group | null, version: string): MachineIsolation => ({
  engine: 'bubblewrap',
  version,
  network: typeof spec.network === 'object' ? 'allow-list' : 'none',
  user: userOf(spec),
  memory: group ? 'together' : 'each',
  cpus: group?.boundsCpus ? 'enforced' : 'none',
  processes: 'enforced',
  disk: 'watched',
  systemCalls: 'filtered',
})

function startMachine({ tools, watch, version, spec, box, goesOn, gateway, snapshots }: MachineParts): Machine {
  const { limits } = spec
  const owner = insideUser()
  const group = tools.groups?.(limits) ?? null
  const channels = new Set<OpenChannel>()
  const starting = new Set<Promise<unknown>>()
  const stopping = new AbortController()
  let stopReason: string | null = null
  /** Resolves when no snapshot is being saved, so that programs may start. */
  let pauseEnd: Promise<unknown> = Promise.resolve()
  let unwatch: (() => void) | null = null

  const processes = () => group?.processes() ?? [...channels].flatMap(({ firstPid }) => [firstPid, ...descendantsOf(firstPid)])
  const disk = {
    folder: box.folder,
    limitBytes: limits.diskBytes,
    cpus: group?.boundsCpus ? Math.min(limits.cpus, os.availableParallelism()) : os.availableParallelism(),
    processes,
    onExceeded: (bytes: number) => void stop(diskLimitExceeded(bytes, limits.diskBytes)),
  }
  const requireRunning = () => {
    if (stopReason !== null) throw new NotRun('invalid_request', stopReason)
  }
  const meminfo = group ? path.join(box.folder, 'm') : null
  const hideMemory = group && meminfo !== null ? showMemory(meminfo, limits.memoryBytes, group) : null
  const limitCommand = [
    ...affinityCommand(tools.prlimit, limits.cpus),
    tools.prlimit,
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
    stopReason ??= why
    stopping.abort()
    await endPrograms()
  }
  async function open(program: MachineProgram): Promise<Channel> {
    const channel = await openChannel(tools, {
      options: machineOptions(box, spec, program, meminfo),
      commandPrefix: [...(gateway?.enterCommand() ?? []), ...limitCommand],
      program,
      signal: stopping.signal,
      outOfMemory: () => group?.outOfMemory() ?? 0,
      beforeStart(pid) {
        gateway?.requireInside(pid)
        return group ? group.add(pid) : limitProcesses(tools, pid, limits.processes)
      },
    }).catch((error: unknown) => {
      requireRunning()
      throw error
    })
    channels.add(channel)
    unwatch ??= watch.add(disk)
    const onExit = () => {
      channels.delete(channel)
      if (channels.size === 0) unwatch = (unwatch?.(), null)
    }
    channel.exit.then(onExit, onExit)
    if (stopReason !== null) await channel.end()
    requireRunning()
    return channel
  }
  async function snapshot(request: SnapshotRequest): Promise<Snapshot> {
    requireRunning()
    await Promise.allSettled(starting)
    const saving = whilePaused(processes, () => snapshots!.save(request, { ...box, spec }))
    pauseEnd = saving.catch(() => undefined)
    return saving
  }
  const close = async () => {
    await stop('The machine has been removed.')
    await gateway?.close()
    hideMemory?.()
    await group?.remove()
  }
  return {
    isolation: isolationOf(spec, group, version),
    goesOn,
    async open(program) {
      requireRunning()
      requireProgram(program)
      const opening = pauseEnd.then(() => open(program))
      starting.add(opening)
      return opening.finally(() => starting.delete(opening))
    },
    write: (place, content, mode) => writeInside(box.root, place, content, { mode, owner, limitBytes: limits.fileBytes }),
    read: (place) => readInside(box.root, place),
    async usage() {
      const diskBytes = watch.bytesOf(disk) ?? (await usedBytes(tools, [disk]))[0] ?? null
      const { cpuSeconds = null, memoryBytes = null } = group?.usage() ?? {}
      return { cpuSeconds, memoryBytes, processes: processes().length, diskBytes }
    },
    snapshot: snapshots && snapshot,
    traffic: () => gateway?.traffic() ?? null,
    endPrograms,
    stop: () => stop('The machine has been stopped.'),
    leave: spec.leftAs
      ? async () => {
          await close()
          box.leave()
        }
      : null,
    async remove() {
      await close()
      await box.remove()
    },
  }
}

/** Limits a program if there is no control group. It runs outside, because programs inside can replace the tools there. */
async function limitProcesses({ prlimit }: BubblewrapTools, pid: number, processes: number): Promise<void> {
  const args = ['--pid', String(pid), `--nproc=${processes}`]
  const { code, stderr } = await runToEnd({ command: prlimit, args, cwd: '/', env: {}, deadlineMs: 5000, graceMs: 0, often: true })
  if (code !== 0) throw new Error(stderr.trim())
}
