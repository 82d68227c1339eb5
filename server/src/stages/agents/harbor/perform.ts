import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import type { Logger } from 'pino'
import type { CheckReport } from '#contracts/entities/check.ts'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { Git, Unread } from '#server/adapters/git/index.ts'
import { contextOf } from '#server/adapters/harbor/context.ts'
import { withDefaults } from '#server/adapters/harbor/environment-values.ts'
import { type HarborTask, readHarborTask } from '#server/adapters/harbor/read.ts'
import { packFolder } from '#server/stages/checks/index.ts'
import { extractInto } from '#server/foreign/index.ts'
import { ENGINE_ABILITIES } from '#contracts/sandbox-engines.ts'
import { limitsOf, type Place, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import { requireSamePlace } from '#server/real-path.ts'
import { type Archive, drive, keepEndOf } from '../drive.ts'
import { type AgentDriver, type AgentEnd, AgentFailed } from '../driver.ts'
import { endingOf, errorOf, sizeOf, stopSandbox } from '../ending.ts'
import { noteOf } from '../listener.ts'
import { isPaused, leftNameOf } from '../pausing.ts'
import type { Ending, Performing } from '../service.ts'
import { EXCLUDED_NAMES, isSystemFolder, notesOf, PACKAGES } from '../working-copy.ts'
import { buildHint, machineOf } from './machine.ts'
import { verifyHarbor } from './verify.ts'

export interface HarborDeps {
  sandboxes: Sandboxes
  git: Git
  drivers: readonly AgentDriver[]
  log: Logger
  onVerified: (taskId: string, traceId: string, report: CheckReport, signal: AbortSignal) => Promise<void>
  archive: Archive
  /** Reads what the agent of a run left in a sandbox that has ended. Null if it left nothing. */
  readLeft: (work: Performing) => Promise<unknown>
}

/** The working directory of a task without an image. */
const WORKDIR = '/app'
const DISK_MB = 8192
const SPARE_SEC = 3600
const MAX_BUILD_SEC = 3600
/** The names of snapshots that are made to test a run. */
const SNAPSHOT_NAME = /^run-[a-z2-7]{26}$/

/**
 * Performs a Harbor task: runs the agent in the machine that the task defines, then the tests in a second machine with the files
 * of the first and none of its running programs.
 */
export function createHarborPerform({ sandboxes, git, drivers, log, onVerified, archive, readLeft }: HarborDeps) {
  /** Snapshot names of active runs. */
  const activeSnapshots = new Set<string>()

  const prepareMachine = async (work: Performing, task: HarborTask): Promise<Place> => {
    const { change, step, signal } = work
    const machine = await machineOf(task, await sandboxes.backends())
    if ('refusal' in machine) throw new AgentFailed('sandbox', machine.refusal.message, machine.refusal.hint)
    const { place, isBuilt } = machine
    if (task.network.mode === 'public') step(noteOf('This task may use the network, but runs of Harbor tasks have none.'))
    if (isBuilt) return place
    change({ facts: { detail: `Building its image (${place.image}) without network.` } })
    const { folder, isIncluded } = await contextOf(task)
    const buildSec = Math.min(task.limits.buildSec, MAX_BUILD_SEC)
    const buildTimeout = AbortSignal.timeout(buildSec * 1000)
    const dockerfile = task.environment?.kind === 'dockerfile' ? task.environment.value : ''
    const context = () => packFolder(folder, '', signal, (name) => name !== 'Dockerfile' && isIncluded(name))
    const limits = limitsOf(specOf(work, task, place).limits)
    try {
      await sandboxes.buildImage({ name: place.image, dockerfile, context, limits, signal: AbortSignal.any([signal, buildTimeout]) })
    } catch (error) {
      signal.throwIfAborted()
      const why = buildTimeout.aborted ? `it took longer than ${buildSec} s` : (error as Error).message
      throw new AgentFailed('sandbox', `Its image could not be built without network: ${why}`, buildHint(place.image, folder))
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
      workdir: task.workdir ?? (ENGINE_ABILITIES[place.backend].runsImages ? null : WORKDIR),
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

  /** `leftAs`: the name under which its files stay if the run is interrupted. */
  const startSandbox = async (spec: SandboxSpec, signal: AbortSignal, onId: (id: string) => void, leftAs?: string): Promise<string> => {
    const { id } = await sandboxes.create(spec)
    if (leftAs !== undefined) sandboxes.leaveAs(id, leftAs)
    onId(id)
    await sandboxes.start(id, { wait: true }, signal)
    return id
  }

  const workdirOf = async (id: string, signal: AbortSignal): Promise<string> => {
    const { output } = await sandboxes.exec(id, { command: 'pwd', session: 'main', standalone: true, wait: true }, signal)
    return output.trim()
  }

  /** The files as the agent finds them. An agent that goes on finds those that it left. */
  const beginIn = async (work: Performing, id: string): Promise<{ workdir: string; start: string; drivenWork: Performing }> => {
    const { facts, request } = work.row
    if (sandboxes.goesOn(id) && facts.kept && facts.workdir !== null)
      return { workdir: facts.workdir, start: facts.kept.start, drivenWork: work }
    const workdir = await workdirOf(id, work.signal)
    const start = await storeFiles(work, { id, workdir, name: 'start', of: null })
    work.change({ facts: { workdir, kept: { start, end: null, directory: null, head: null } } })
    const row = { ...work.row, facts: { ...facts, canResume: false } } // without its machine an agent begins again
    return { workdir, start, drivenWork: { ...work, row, prompt: request.prompt } }
  }

  /** Stores the files of the working directory as a commit; no files if it is a system folder. */
  const storeFiles = async (
    { folder, signal, step }: Performing,
    { id, workdir, name, of }: { id: string; workdir: string; name: string; of: string | null },
  ): Promise<string> => {
    const [gitDir, files] = [path.join(folder, 'change.git'), path.join(folder, 'files')]
    await fs.promises.rm(files, { recursive: true, force: true })
    await fs.promises.mkdir(files, { mode: 0o700 })
    try {
      await git.files.prepare(gitDir)
      if (!isSystemFolder(workdir)) await sandboxes.readFolder(id, workdir, PACKAGES, (tar) => extractInto(files, tar))
      const names = await git.files.list({ gitDir, folder: files, base: of, excluded: EXCLUDED_NAMES, signal })
      const unread: Unread[] = []
      const commit = await git.files.store(
        gitDir,
        name,
        git.files.readPlain(files, names, (file) => void unread.push(file)),
        signal,
      )
      for (const text of notesOf(unread, 'Not read')) step(noteOf(text))
      return commit
    } finally {
      await fs.promises.rm(files, { recursive: true, force: true })
    }
  }

  /** Removes snapshots left by servers that were killed. */
  const sweep = async () => {
    const { items } = await sandboxes.snapshots.list()
    for (const { name } of items) if (SNAPSHOT_NAME.test(name) && !activeSnapshots.has(name)) await removeSnapshot(name)
  }
  const removeSnapshot = (name: string) =>
    sandboxes.snapshots.remove(name).catch((error: unknown) => log.warn({ err: error, name }, 'The snapshot of a run could not be removed'))

  /** The tests run only after every process of the agent has ended. */
  const check = async (work: Performing, { task, spec, workdir, start }: AgentResult): Promise<CheckReport> => {
    const { signal, folder } = work
    const { backend } = spec
    let id: string | null = null
    try {
      await startSandbox(spec, signal, (newId) => (id = newId))
      const end = await storeFiles(work, { id: id!, workdir, name: 'end', of: start })
      const change = await git.files.count(path.join(folder, 'change.git'), start, end, signal)
      work.change({ facts: { kept: { start, end, directory: null, head: null }, change: isSystemFolder(workdir) ? null : change } })
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
    activeSnapshots.add(image)
    try {
      await sweep()
      if (!row.facts.hasBegun) await sandboxes.forgetLeft(leftNameOf(row.id))
      requireSamePlace(row.request.harbor!) // it may have waited
      const task = await readHarborTask(row.request.harbor!)
      const spec = specOf(work, task, await prepareMachine(work, task))
      const onId = (newId: string) => {
        box = newId
        work.change({ facts: { sandboxId: newId, detail: 'Waiting for a free place for its sandbox.' } })
      }
      const id = await startSandbox(spec, signal, onId, leftNameOf(row.id))
      const { workdir, start, drivenWork } = await beginIn(work, id)
      work.change({ facts: { detail: null, hasBegun: true, added: null } })
      end = await drive(driver, drivenWork, { box: { id, workdir }, endpoint: null, timeSec: timeOf(row, task) })
      signal.throwIfAborted()
      await sandboxes.takeSnapshot(id, image, true)
      if (!(await sandboxes.leave(id))) await stopSandbox(sandboxes, id) // until the tests have run
      work.change({ state: 'verifying', facts: { detail: 'Running the tests of the task on the result.' } })
      verification = await check(work, { task, spec: { ...spec, image, name: `Tests of ${spec.name}`.slice(0, 100) }, workdir, start })
    } catch (error) {
      signal.throwIfAborted()
      failure = error
    } finally {
      if (box !== null && !(isPaused(signal) && (await sandboxes.leave(box)))) {
        await stopSandbox(sandboxes, box)
        if (failure !== null) await readLeft(work).catch(() => undefined) // its sandbox was lost, not its files
      }
      if ((await sandboxes.snapshots.list()).items.some(({ name }) => name === image)) await removeSnapshot(image)
      activeSnapshots.delete(image)
      work.change({ facts: { diskBytes: await sizeOf(work.folder) } })
    }
    signal.throwIfAborted()
    const traceId = await keepEndOf(driver, archive, work, { end, failure, resume: null }) // it cannot continue without its machine
    if (failure !== null || !end || !verification) return { state: 'failed', facts: { traceId, error: errorOf(failure) } }
    if (traceId !== null) await onVerified(row.id, traceId, verification, signal)
    return harborEndingOf(work, { verification, end, traceId })
  }
}

interface AgentResult {
  task: HarborTask
  spec: SandboxSpec
  workdir: string
  start: string
}

/** The shorter of the caller's limit and the task's. */
const timeOf = ({ request }: Performing['row'], task: HarborTask) => Math.min(request.caps.timeSec, task.limits.agentSec)

function harborEndingOf(work: Performing, result: { verification: CheckReport; end: AgentEnd; traceId: string | null }): Ending {
  const { change } = work.current()
  const ending = endingOf({ ...result, changed: change !== null && change.files > 0 })
  const { reward } = result.verification
  if (!ending.facts.error) return ending
  const message = reward === null ? 'The tests failed.' : `The reward is ${reward}; a pass is 1.`
  const hint = 'Read the output of the tests. They ran without network, so a test that downloads something always fails.'
  return { ...ending, facts: { ...ending.facts, error: { boundary: 'task', message, hint } } }
}
