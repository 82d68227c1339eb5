import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import type { CheckReport } from '#contracts/entities/check.ts'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { contextOf } from '#server/adapters/harbor/context.ts'
import { withDefaults } from '#server/adapters/harbor/environment-values.ts'
import { type HarborTask, readHarborTask } from '#server/adapters/harbor/read.ts'
import { packFolder } from '../../checks/pack.ts'
import { extractInto } from '../../checks/restore/extract.ts'
import type { Place } from '../../sandboxes/place.ts'
import type { Sandboxes } from '../../sandboxes/service.ts'
import { type Archive, drive, keepEndOf } from '../drive.ts'
import { type AgentDriver, type AgentEnd, AgentFailed } from '../driver.ts'
import { errorOf, leave, sizeOf, verdictOf } from '../ending.ts'
import { noteOf } from '../listener.ts'
import type { Ending, Performing } from '../service.ts'
import { LEFT_OUT, PACKAGES } from '../working-copy.ts'
import { buildIt, machineOf } from './machine.ts'
import { verifyHarbor } from './verify.ts'

export interface HarborDeps {
  sandboxes: Sandboxes
  git: Git
  drivers: readonly AgentDriver[]
  log: Logger
  onVerified: (taskId: string, traceId: string, report: CheckReport, signal: AbortSignal) => Promise<void>
  archive: Archive
}

/** Where a task without an image works. */
const WORKDIR = '/app'
const DISK_MB = 8192
const SPARE_SEC = 3600
/** Snapshots that were made for the tests of a run. */
const SNAPSHOT = /^run-[a-z2-7]{26}$/
/** System folders, which are no project. */
const SYSTEM = /^\/(?:(?:usr|bin|sbin|lib\w*|etc|proc|dev|sys|boot|var|run|tests|logs)(?:\/|$))?$/

/**
 * A task of Harbor from its start to its end: the agent in the machine that the task brings, then its tests in another one that has the
 * files of the first and none of its programs.
 */
export function createHarborPerform({ sandboxes, git, drivers, log, onVerified, archive }: HarborDeps) {
  /** Runs that may have a snapshot. */
  const atWork = new Set<string>()

  const ready = async ({ change, step, signal }: Performing, task: HarborTask): Promise<Place> => {
    const machine = machineOf(task, await sandboxes.backends())
    if ('refusal' in machine) throw new AgentFailed('sandbox', machine.refusal.message, machine.refusal.hint)
    const { place, isBuilt } = machine
    if (task.network.mode === 'public') step(noteOf('This task may use the open network; a run here has none.'))
    if (isBuilt) return place
    change({ facts: { detail: `Its image is being built (${place.image}), without network.` } })
    const { folder, isIncluded } = contextOf(task)
    const late = AbortSignal.timeout(task.limits.buildSec * 1000)
    const packing = packFolder(folder, '', signal, isIncluded)
    const memoryBytes = (task.limits.memoryMb ?? 2048) * 1024 * 1024
    try {
      await sandboxes.buildImage({ name: place.image, context: packing.tar, memoryBytes, signal: AbortSignal.any([signal, late]) })
      await packing.done
    } catch (error) {
      signal.throwIfAborted()
      const why = late.aborted ? `it took longer than ${task.limits.buildSec} s` : (error as Error).message
      throw new AgentFailed('sandbox', `Its image could not be built without network: ${why}`, buildIt(place.image, folder))
    }
    change({ facts: { setup: [{ command: `docker build (${place.image})`, because: 'Dockerfile', cached: false }] } })
    return place
  }

  const specOf = ({ row }: Performing, task: HarborTask, place: Place) => {
    const { request } = row
    const lifetimeSec = Math.min(Math.ceil(timeOf(row, task) + task.limits.verifierSec) + SPARE_SEC, 86_400)
    return SandboxSpec.parse({
      ...place,
      name: row.title.slice(0, 100),
      profile: 'machine',
      workdir: task.workdir ?? (place.backend === 'docker' ? null : WORKDIR),
      env: { TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', NO_COLOR: '1', ...withDefaults(task.env).env },
      labels: { task: row.id },
      limits: {
        memoryMb: Math.max(Math.round(task.limits.memoryMb ?? request.limits.memoryMb), 64),
        cpus: Math.min(task.limits.cpus ?? request.limits.cpus, os.availableParallelism()),
        pids: 1024,
        diskMb: Math.round(task.limits.storageMb ?? DISK_MB),
        nofile: 4096,
        fileMb: 2048,
      },
      idleTimeoutSec: lifetimeSec,
      lifetimeSec,
    })
  }

  const started = async (spec: SandboxSpec, signal: AbortSignal, onId: (id: string) => void): Promise<string> => {
    const { id } = await sandboxes.create(spec)
    onId(id)
    await sandboxes.start(id, { wait: true }, signal)
    return id
  }

  const workdirOf = async (id: string, signal: AbortSignal): Promise<string> => {
    const { output } = await sandboxes.exec(id, { command: 'pwd', session: 'main', standalone: true, wait: true }, signal)
    return output.trim()
  }

  /** The files of the working directory as a commit; none if that is no folder of a project. */
  const stored = async (
    { folder, signal }: Performing,
    { id, workdir, name, of }: { id: string; workdir: string; name: string; of: string | null },
  ): Promise<string> => {
    const [gitDir, files] = [path.join(folder, 'change.git'), path.join(folder, 'files')]
    await fs.promises.rm(files, { recursive: true, force: true })
    fs.mkdirSync(files, { mode: 0o700 })
    try {
      git.files.prepare(gitDir)
      if (!SYSTEM.test(workdir)) await sandboxes.lookInto(id, workdir, PACKAGES, (tar) => extractInto(files, tar))
      const names = await git.files.list({ gitDir, folder: files, base: of, excluded: LEFT_OUT, signal })
      return await git.files.store(gitDir, name, git.files.readPlain(files, names), signal)
    } finally {
      await fs.promises.rm(files, { recursive: true, force: true })
    }
  }

  /** Removes snapshots of servers that were killed. */
  const sweep = async () => {
    const { items } = await sandboxes.snapshots.list()
    for (const { name } of items) if (SNAPSHOT.test(name) && !atWork.has(name)) await dropped(name)
  }
  const dropped = (name: string) =>
    sandboxes.snapshots.remove(name).catch((error: unknown) => log.warn({ err: error, name }, 'What a run left could not be removed'))

  /** The tests run only after every process of the agent has ended. */
  const check = async (work: Performing, { task, spec, workdir, start }: Left): Promise<CheckReport> => {
    const { signal, folder } = work
    const { backend } = spec
    let id: string | null = null
    try {
      await started(spec, signal, (made) => (id = made))
      const end = await stored(work, { id: id!, workdir, name: 'end', of: start })
      const change = await git.files.count(path.join(folder, 'change.git'), start, end, signal)
      work.change({ facts: { kept: { start, end, directory: null, head: null }, change: SYSTEM.test(workdir) ? null : change } })
      return await verifyHarbor(sandboxes, { task, id: id!, workdir, isolation: backend, signal })
    } finally {
      if (id !== null) await sandboxes.stop(id, true)
    }
  }

  return async (work: Performing): Promise<Ending> => {
    const { signal, row } = work
    const image = `run-${row.id}`
    const driver = drivers.find(({ agent }) => agent === row.request.agent)!
    let box: string | null = null
    let end: AgentEnd | null = null
    let verification: CheckReport | null = null
    let failure: unknown = null
    atWork.add(image)
    try {
      await sweep()
      const task = readHarborTask(row.request.harbor!)
      const spec = specOf(work, task, await ready(work, task))
      const id = await started(spec, signal, (made) => {
        box = made
        work.change({ facts: { sandboxId: made, detail: 'Waiting for a free place for its sandbox.' } })
      })
      const workdir = await workdirOf(id, signal)
      const start = await stored(work, { id, workdir, name: 'start', of: null })
      work.change({ facts: { workdir, kept: { start, end: null, directory: null, head: null }, detail: null } })
      end = await drive(driver, work, { box: { id, workdir }, endpoint: null, timeSec: timeOf(row, task) })
      signal.throwIfAborted()
      await sandboxes.takeSnapshot(id, image, true)
      await leave(sandboxes, id)
      work.change({ state: 'verifying', facts: { detail: 'The tests of the task run on what it left.' } })
      verification = await check(work, { task, spec: { ...spec, image, name: `Tests of ${spec.name}`.slice(0, 100) }, workdir, start })
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    } finally {
      if (box !== null) await leave(sandboxes, box)
      if ((await sandboxes.snapshots.list()).items.some(({ name }) => name === image)) await dropped(image)
      atWork.delete(image)
      work.change({ facts: { diskBytes: sizeOf(work.folder) } })
    }
    signal.throwIfAborted()
    const traceId = await keepEndOf(driver, archive, work, { end, failure, resume: null }) // it cannot go on without its machine
    if (failure !== null || !end || !verification) return { state: 'failed', facts: { traceId, error: errorOf(failure) } }
    if (traceId !== null) await onVerified(row.id, traceId, verification, signal)
    return endingOf(work, { verification, end, traceId })
  }
}

interface Left {
  task: HarborTask
  spec: SandboxSpec
  workdir: string
  start: string
}

/** The shorter limit of the caller's and the task's. */
const timeOf = ({ request }: Performing['row'], task: HarborTask) => Math.min(request.caps.timeSec, task.limits.agentSec)

function endingOf(work: Performing, judged: { verification: CheckReport; end: AgentEnd; traceId: string | null }): Ending {
  const { change } = work.current()
  const ending = verdictOf({ ...judged, changed: change !== null && change.files > 0 })
  const { status, reward, reason } = judged.verification
  if (!ending.facts.error) return ending
  const message =
    status === 'error'
      ? `Its tests gave no verdict: ${reason}`
      : reward === null
        ? 'Its tests failed.'
        : `Its reward is ${reward}; a pass is 1.`
  const hint = 'Read the output of the tests. They ran without network: a test that downloads something fails whatever the agent did.'
  return { ...ending, facts: { ...ending.facts, error: { boundary: status === 'error' ? 'sandbox' : 'task', message, hint } } }
}
