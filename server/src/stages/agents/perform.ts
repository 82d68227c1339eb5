import fs from 'node:fs'
import path from 'node:path'
import type { CheckReport } from '#contracts/entities/check.ts'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { Task } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { requireSamePlace } from '#server/real-path.ts'
import type { Logger } from 'pino'
import type { LlmProxy } from '#server/adapters/llm-proxy/index.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { type Checks, copyFolder, packFiles, type Toolchains } from '#server/stages/checks/index.ts'
import { folderInside, placeOf, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import { type Archive, drive, keepEndOf } from './drive.ts'
import { type AgentDriver, type AgentEnd, AgentFailed } from './driver.ts'
import { endingOf, errorOf, sizeOf, stopSandbox } from './ending.ts'
import { noteOf, noteRemoved, totalSpent } from './listener.ts'
import { type ModelAccess, openModelAccess } from './model-access.ts'
import type { TaskModels } from './models.ts'
import { createSetUp } from './perform-set-up.ts'
import { isPaused, leftNameOf, RunPaused } from './pausing.ts'
import { readNow } from './resume-file.ts'
import { createSavings } from './savings.ts'
import type { Ending, Performing } from './service.ts'
import { createStoreEnd, type ExamFiles } from './store-end.ts'
import type { Kept } from './store.ts'
import { type Box, copyCommit, copyStart, copyTask, failedBecauseOfTask, packagesOf, tarFiles } from './working-copy.ts'

export interface PerformDeps {
  sandboxes: Sandboxes
  checks: Checks
  toolchains: Toolchains
  git: Git
  models: TaskModels
  proxy: LlmProxy
  log: Logger
  /** Called when the session of a run has a verification. */
  onVerified: (taskId: string, traceId: string, report: CheckReport, signal: AbortSignal) => Promise<void>
  drivers: readonly AgentDriver[]
  archive: Archive
  /** Our repository with the states of an exam's tasks. */
  examFiles: (exam: ExamFiles) => string
  /** Reads what the agent of a run left in a sandbox that has ended. Null if it left nothing. */
  readLeft: (work: Performing) => Promise<Kept | null>
}

interface PreparedStart {
  kept: Kept
  /** The commit that is unpacked into the sandbox. */
  commit: string
  packages: string[]
}

/** Space for a copy of the folder and for what is installed in it. */
const DISK_MB = 8192
const SPARE_SEC = 3600

/** Performs one run: copies the folder into a sandbox, runs the agent, reads its files, runs the checks. Throws the reason of its signal. */
export function createPerform(deps: PerformDeps) {
  const { sandboxes, toolchains, git, drivers, models, proxy, log } = deps
  const setUp = createSetUp(deps)
  const { storeEnd, storeNow, verify } = createStoreEnd(deps)
  const driverOf = (agent: Task['request']['agent']): AgentDriver => drivers.find((one) => one.agent === agent)!

  const startOf = async ({ row, folder, signal, change, step }: Performing): Promise<PreparedStart> => {
    const { kept } = row.facts
    const gitDir = path.join(folder, 'change.git')
    const lastCommit = kept?.end ?? (row.facts.hasBegun ? kept?.start : null)
    if (kept && lastCommit && fs.existsSync(gitDir)) {
      const packages = await packagesOf(kept.directory, await git.files.names(gitDir, lastCommit, signal))
      return { kept, commit: lastCommit, packages }
    }
    const { directory = null, repositoryUrl, start: requestedStart } = row.request
    for (const place of [directory, repositoryUrl?.startsWith('/') ? repositoryUrl : null]) if (place !== null) requireSamePlace(place) // it may have waited
    const cloneFolder = path.join(folder, 'clone')
    for (const name of ['change.git', 'repository', 'clone'])
      await fs.promises.rm(path.join(folder, name), { recursive: true, force: true })
    if (repositoryUrl !== undefined) {
      change({ facts: { detail: `Cloning ${repositoryUrl}.` } })
      await git.clone(repositoryUrl, cloneFolder, signal).catch((error: Error) => {
        signal.throwIfAborted()
        throw new AgentFailed(
          'task',
          `${repositoryUrl} could not be cloned: ${error.message}`,
          'Check the address. Your passwords and keys are not used for it.',
        )
      })
    }
    change({ facts: { detail: 'Copying the files.' } })
    const copied = requestedStart?.exam
      ? await copyTask(git, {
          folder,
          gitDir: deps.examFiles(requestedStart.exam),
          directory: directory!,
          commit: requestedStart.commit,
          signal,
        })
      : requestedStart
        ? await copyCommit(git, { folder, directory: directory!, commit: requestedStart.commit, signal })
        : await copyStart(git, { folder, directory: repositoryUrl === undefined ? directory : cloneFolder, signal }).catch(
            failedBecauseOfTask,
          )
    const start = repositoryUrl === undefined ? copied : { ...copied, directory: null, packages: [] }
    await fs.promises.rm(cloneFolder, { recursive: true, force: true })
    for (const text of start.notes) step(noteOf(text))
    const newStart = { start: start.start, end: null, directory: start.directory, head: start.head }
    change({ facts: { kept: newStart } })
    return { kept: newStart, commit: start.start, packages: start.packages }
  }

  /** The path of the requested folder in the repository; '' also if the commit has no files in it. */
  const innerOf = async ({ row, folder, signal }: Performing, { kept, commit }: PreparedStart): Promise<string> => {
    if (kept.directory === null || row.request.directory === undefined) return ''
    const inner = path.relative(kept.directory, path.resolve(row.request.directory))
    if (inner === '') return ''
    const names = await git.files.names(path.join(folder, 'change.git'), commit, signal)
    return names.some((name) => name.startsWith(`${inner}/`)) ? inner : ''
  }

  const sandboxFor = async (work: Performing, start: PreparedStart): Promise<Box & { workdir: string; tools: object }> => {
    const { request } = work.row
    const { directory } = start.kept
    const inner = await innerOf(work, start)
    const root = directory === null ? '/workspace' : folderInside(directory)
    const place = placeOf(request)
    const tools = await toolchains.of(['command'], place, directory ?? '/')
    const { memoryMb, cpus } = request.limits
    const lifetimeSec = Math.min(request.caps.timeSec + SPARE_SEC, 86_400)
    const spec = SandboxSpec.parse({
      name: work.row.title.slice(0, 100),
      ...place,
      profile: 'strict',
      tty: request.agent === 'shell',
      workdir: root,
      env: { ...tools.env, TERM: 'dumb', PAGER: 'cat', GIT_PAGER: 'cat', NO_COLOR: '1' },
      labels: { task: work.row.id },
      network: request.network.length === 0 ? 'none' : { allow: request.network },
      limits: { memoryMb, cpus, pids: 1024, diskMb: DISK_MB, nofile: 4096, fileMb: 2048 },
      idleTimeoutSec: lifetimeSec,
      lifetimeSec,
    })
    const { id } = await sandboxes.create(spec)
    sandboxes.leaveAs(id, leftNameOf(work.row.id))
    const driver = driverOf(request.agent)
    const ofDriver = (driver.folders?.() ?? []).map((folder) => ({ place: folder, source: folder }))
    sandboxes.allowReading(id, [...new Map([...tools.folders, ...ofDriver].map((folder) => [folder.place, folder])).values()])
    work.change({ facts: { sandboxId: id, workdir: root, detail: 'Waiting for a free place for its sandbox.' } })
    return { id, root, workdir: path.posix.join(root, inner), tools }
  }

  /** Null for an agent whose loop runs in this process. */
  const accessFor = async (work: Performing, sandboxId: string): Promise<ModelAccess | null> => {
    const { row, folder, ledger, signal, change } = work
    const { request, facts } = row
    if (driverOf(request.agent).asksItself) return null
    const source = await models.source(request.endpoint, request.model, signal)
    return openModelAccess(
      { proxy, sandboxes },
      {
        source,
        ledger,
        clear: work.redaction?.clearTexts ?? null,
        sandboxId,
        folder,
        onUsage: (usage) => {
          const turns = driverOf(request.agent).countsRequests ? { turns: facts.turns + usage.requests } : {}
          change({ quietly: true, facts: { ...totalSpent(facts, usage), ...turns } })
        },
        onRemoved: (names) => noteRemoved(work, names),
        onError: (error) => log.warn({ err: error, task: row.id }, 'The model requests of a run are no longer recorded'),
        signal,
      },
    )
  }

  const copyIn = async (work: Performing, { id, root }: Box, { kept, commit, packages }: PreparedStart) => {
    const { folder, signal } = work
    work.change({ facts: { detail: 'Copying the files into the sandbox.' } })
    await sandboxes.unpack(id, root, packFiles(tarFiles(git.files.of(path.join(folder, 'change.git'), commit, signal))))
    await copyFolder(path.join(folder, 'repository'), '.git', (tar) => sandboxes.unpack(id, root, tar), signal)
    for (const name of packages)
      await copyFolder(path.join(kept.directory!, name), name, (tar) => sandboxes.unpack(id, root, tar), signal).catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error
        work.step(noteOf(`${name} was not copied: ${error.message}`))
      })
  }

  const verifyAndEnd = async (work: Performing, { kept, end, installed, traceId }: Unverified): Promise<Ending> => {
    const { signal, row } = work
    work.change({ state: 'verifying', facts: { detail: 'Running the checks on the result.', agentEnd: end } })
    const verification = await verify(work, kept, installed)
    signal.throwIfAborted()
    if (traceId !== null) await deps.onVerified(row.id, traceId, verification, signal)
    return endingOf({ verification, end, changed: kept.end !== kept.start && work.current().change?.files !== 0, traceId })
  }

  /** The packages that the set-up of this run installed. */
  const installedIn = (folder: string): string | null => {
    const installed = path.join(folder, 'packages')
    return fs.existsSync(installed) ? installed : null
  }

  /** The conversation of an agent that failed, with which it can continue. */
  const recovered = async ({ row, folder }: Performing, sandboxId: string): Promise<string | null> => {
    const { status } = sandboxes.get(sandboxId)
    if (status === 'stopped') return null
    const { resume } = await driverOf(row.request.agent).recover({ sandboxId, now: readNow(folder) })
    return resume
  }

  return async (work: Performing): Promise<Ending> => {
    const { signal, row } = work
    const { facts } = row
    if (facts.agentEnd !== null && facts.kept?.end)
      return verifyAndEnd(work, { kept: facts.kept, end: facts.agentEnd, installed: installedIn(work.folder), traceId: facts.traceId })
    let isDriven = false
    let isLost = false
    let kept: Kept | null = null
    let end: AgentEnd | null = null
    let failure: unknown = null
    let unread: unknown = null
    let access: ModelAccess | null = null
    let installed: string | null = null
    let resume: string | null = null
    let box: (Box & { workdir: string; tools: object }) | null = null
    try {
      if (!facts.hasBegun) await sandboxes.forgetLeft(leftNameOf(row.id))
      const start = await startOf(work)
      kept = start.kept
      box = await sandboxFor(work, start)
      access = await accessFor(work, box.id)
      await sandboxes.start(box.id, { wait: true }, signal)
      if (sandboxes.goesOn(box.id)) installed = installedIn(work.folder)
      else {
        await copyIn(work, box, start)
        installed = await setUp(work, box, start)
      }
      work.change({ facts: { detail: null, hasBegun: true, added: null } })
      isDriven = true
      const savings = sandboxes.canLeave(box.id) ? null : createSavings(() => storeNow(work, box!, start.kept))
      try {
        end = await drive(driverOf(row.request.agent), savings === null ? work : savings.after(work), {
          box,
          endpoint: access?.endpoint ?? null,
          timeSec: row.request.caps.timeSec,
        })
      } catch (error) {
        failure = error
      }
      await savings?.done()
      if (!isPaused(signal) || !(await sandboxes.leave(box.id))) {
        kept = await storeEnd(work, box, kept).catch(async (error: unknown) => {
          failure ??= error
          await sandboxes.leave(box!.id) // its programs may have been killed; its files are still there
          const read = await deps.readLeft(work).catch((second: unknown) => {
            unread = second
            return null
          })
          return read ?? start.kept
        })
      }
      if (failure !== null) resume = await recovered(work, box.id)
    } catch (error) {
      signal.throwIfAborted()
      failure ??= error
    } finally {
      await access?.close()
      isLost = box !== null && sandboxes.get(box.id).endReason === 'session_lost'
      const staysNeeded = isPaused(signal) || unread !== null || isLost || (end !== null && failure === null) // until the end of the agent is stored
      if (box && !(staysNeeded && (await sandboxes.leave(box.id)))) await stopSandbox(sandboxes, box.id)
      work.change({ facts: { diskBytes: await sizeOf(work.folder) } })
    }
    signal.throwIfAborted()
    if (row.request.start?.exam && failure instanceof AgentFailed && failure.boundary === 'task' && kept?.end) {
      const { message, transcript } = failure // at its limit; what it left gets a verdict
      end = { claim: 'failure', exitCode: null, message, transcript: [...transcript], resume: null }
      failure = null
    }
    if (unread !== null) throw new RunPaused(`What the agent left could not be read yet: ${errorOf(unread).message}`)
    if (failure !== null && (isDriven ? isLost : facts.hasBegun) && row.request.batchId === undefined)
      throw new RunPaused(`It could not go on: ${errorOf(failure).message}`)
    const ending = { end, failure, resume: end?.resume ?? resume }
    const traceId = (await keepEndOf(driverOf(row.request.agent), deps.archive, work, ending)) ?? row.facts.traceId
    if (failure !== null || !end || kept?.end == null)
      return { state: 'failed', facts: { traceId, error: errorOf(failure ?? new Error('The agent left no files.')) } }
    const { claim, exitCode, message } = end
    work.change({ facts: { traceId } })
    return verifyAndEnd(work, { kept, end: { claim, exitCode, message }, installed, traceId })
  }
}

interface Unverified {
  kept: Kept
  end: NonNullable<Performing['row']['facts']['agentEnd']>
  installed: string | null
  traceId: string | null
}
