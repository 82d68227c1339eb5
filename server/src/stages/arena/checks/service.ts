import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { ChangedCheck, CheckReport, FoundCheck, RestoredState } from '#contracts/entities/check.ts'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { Git } from '#server/adapters/git/index.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import { changeOf } from './change/change.ts'
import { detect } from './detect.ts'
import { readFacts } from './facts.ts'
import { type IsWanted, packFolder } from './pack.ts'
import type { SessionChanges } from './restore/changes.job.ts'
import { restore } from './restore/restore.ts'
import type { Report } from './reports/report.ts'
import { type CheckResults, countsForScore } from './results.ts'
import { reportedRun, runnerOf, UNITTEST_DRIVER } from './runners.ts'
import type { Toolchains } from './toolchains.ts'
import { UNITTEST_PROGRAM } from './unittest-driver.ts'
import { verdictOf } from './verdict.ts'

interface Asked {
  command?: string | undefined
  timeoutSec: number
}

/** What is checked. */
interface Source {
  /** Folder that says how the project checks itself. */
  files: string
  /** Folders that are copied, each over those before it. */
  copies: { from: string; to: string; isWanted?: IsWanted }[]
  /** Written on top. */
  written: { name: string; text: string }[]
  /** Folder of the project, whose interpreters and place they have. */
  project: string
  restored: RestoredState | null
  changedChecks: ChangedCheck[]
}

/** What an agent did to a project, as two folders of this machine. */
export interface CheckedChange {
  /** The state before it: checks, their configuration and installed packages are taken from here. */
  start: string
  /** The state that it left. */
  end: string
  command?: string | undefined
  timeoutSec: number
}

/** Of a project that is checked with its own files alone. */
const WHOLE = { written: [], restored: null, changedChecks: [] } satisfies Partial<Source>

/** Shown as they are installed now. */
const PACKAGES = ['node_modules', '.venv', 'venv']
const TAIL_CHARACTERS = 4000
const MOST_OUTPUT = 16 * 1024 * 1024
const MOST_REPORT = 64 * 1024 * 1024
const LIMITS = { memoryMb: 4096, cpus: 2, pids: 1024, diskMb: 4096, nofile: 4096, fileMb: 2048, outputBytes: MOST_OUTPUT }

export interface ChecksDeps {
  sandboxes: Sandboxes
  toolchains: Toolchains
  git: Git
  /** What a session did to its files; null: there is no such session. */
  changes: (traceId: string, signal: AbortSignal) => Promise<SessionChanges | null>
  /** Of the data directory, for copies that are restored; emptied at each start. */
  folder: string
  results: CheckResults
  /** After a result of a session was kept: its score may be another. Throws `trace_not_found`. */
  onResult: (traceId: string, signal: AbortSignal) => Promise<void>
}

/** The project's own checks, on a copy of it in a sandbox without network. */
export function createChecks({ sandboxes, toolchains, git, changes, folder: restores, results, onResult }: ChecksDeps) {
  const find = (directory: string): FoundCheck[] => detect(readFacts(folderOf(directory)))

  const run = async (source: Source, request: Asked, { signal, progress }: JobContext): Promise<CheckReport> => {
    const began = performance.now()
    const found = detect(readFacts(source.files))
    const { command, timeoutSec } = request
    const check = command === undefined ? found[0] : { runner: runnerOf(command), command, because: 'given' }
    const { restored, changedChecks } = source
    if (check === undefined) return { ...NOTHING, restored, changedChecks, durationMs: performance.now() - began }

    progress({ phase: 'copying', done: 0, total: null, unit: 'files' })
    const tools = await toolchains.of(check.runner, source.project)
    const spec = SandboxSpec.parse({
      name: `Checks of ${path.basename(source.project)}`.slice(0, 100),
      profile: 'strict',
      tty: false,
      workdir: placeOf(source.project),
      env: tools.env,
      limits: LIMITS,
      labels: { checks: source.project.slice(0, 300) },
      lifetimeSec: Math.max(timeoutSec * 2, 3600),
    })
    const workdir = spec.workdir!
    const { id } = await sandboxes.create(spec)
    sandboxes.show(id, tools.folders)
    try {
      const { isolation } = await sandboxes.start(id, { wait: true }, signal)
      let files = 0
      for (const { from, to, isWanted } of source.copies) {
        const packing = packFolder(from, to, signal, isWanted)
        await sandboxes.unpack(id, workdir, packing.tar).catch(async (error: unknown) => {
          await packing.done // what could not be read is the better reason
          throw error
        })
        files += (await packing.done).files
      }
      for (const { name, text } of source.written)
        await sandboxes.write(id, { path: path.posix.join(workdir, name), content: text, encoding: 'utf8', mode: 0o644 })
      if (check.runner === 'unittest')
        await sandboxes.write(id, { path: UNITTEST_DRIVER, content: UNITTEST_PROGRAM, encoding: 'utf8', mode: 0o644 })
      progress({ phase: 'running', done: files, total: files, unit: 'files', message: check.command })
      const file = `/tmp/${randomBytes(8).toString('hex')}/report`
      const reported = reportedRun(check, file)
      const result = await sandboxes.exec(
        id,
        {
          command: `mkdir -p ${path.posix.dirname(file)}\n${reported?.command ?? check.command}`,
          session: 'main',
          standalone: true,
          wait: true,
          cwd: workdir,
          env: { CI: '1', ...reported?.env },
          timeoutSec,
          maxOutputBytes: MOST_OUTPUT,
        },
        signal,
      )
      signal.throwIfAborted()
      const text = reported === null ? null : reported.from === 'output' ? result.output : await textOf(sandboxes, id, file)
      const report: Report | null | 'unreported' = reported === null ? 'unreported' : text === null ? null : reported.read(text)
      return {
        ...verdictOf({ ...result, timeoutSec, report, isNothing: reported?.nothing.includes(result.exitCode) ?? false }),
        runner: check.runner,
        command: check.command,
        exitCode: result.exitCode,
        outputTail: result.output.slice(-TAIL_CHARACTERS),
        durationMs: performance.now() - began,
        others: command === undefined ? found.slice(1) : found,
        restored,
        changedChecks,
        isolation: isolation?.engine ?? null,
      }
    } finally {
      await sandboxes.stop(id, true)
    }
  }

  const runRestored = async (changed: SessionChanges, asked: Asked, context: JobContext): Promise<CheckReport> => {
    fs.mkdirSync(restores, { recursive: true, mode: 0o700 })
    const work = fs.mkdtempSync(path.join(restores, 'state-'))
    const [folder, scratch] = [path.join(work, 'files'), path.join(work, 'git')]
    try {
      for (const place of [folder, scratch]) fs.mkdirSync(place)
      context.progress({ phase: 'restoring', done: 0, total: null, unit: 'files' })
      const { state, project } = await restore(changed, { git, folder, scratch, signal: context.signal })
      const packages = PACKAGES.filter((name) => fs.existsSync(path.join(project, name)) && !fs.existsSync(path.join(folder, name)))
      const copies = [{ from: folder, to: '' }, ...packages.map((name) => ({ from: path.join(project, name), to: name }))]
      return await run({ ...WHOLE, files: folder, project, copies, restored: state }, asked, context)
    } finally {
      await fs.promises.rm(work, { recursive: true, force: true })
    }
  }

  return {
    find,
    resultOf: results.get,
    run({ directory, ...asked }: Asked & { directory: string }, context: JobContext): Promise<CheckReport> {
      const folder = folderOf(directory)
      return run({ ...WHOLE, files: folder, project: folder, copies: [{ from: folder, to: '' }] }, asked, context)
    },
    /** Of the state that a session left; kept for its score. Throws `state_not_restorable`. */
    async runOfTrace(traceId: string, asked: Asked, context: JobContext): Promise<{ report: CheckReport; counts: boolean }> {
      const changed = await changes(traceId, context.signal)
      if (!changed) throw new AppError('trace_not_found')
      const report = await runRestored(changed, asked, context)
      try {
        results.keep(traceId, report, changed.calls)
        await onResult(traceId, context.signal)
      } catch (error) {
        if (error instanceof AppError && error.code === 'trace_not_found') results.forget(traceId) // forgotten meanwhile
        throw error
      }
      return { report, counts: countsForScore(report) }
    },
    /**
     * Whether a change passes the checks that the project had before it. Tests, their configuration, scripts that run them and installed
     * packages are those of the start; what the change did to them is told and does not count.
     */
    runOfChange({ start, end, ...asked }: CheckedChange, context: JobContext): Promise<CheckReport> {
      const [before, after] = [folderOf(start), folderOf(end)]
      const { changedChecks, isWork, isCheck, files: written } = changeOf(before, after)
      const copies = [
        { from: after, to: '', isWanted: isWork },
        { from: before, to: '', isWanted: isCheck },
      ]
      return run({ files: before, project: before, copies, written, restored: null, changedChecks }, asked, context)
    },
    /** What a server that was killed left. */
    sweep: () => fs.rmSync(restores, { recursive: true, force: true }),
  }
}

/** Where the copy lies inside: at the same place, for environments of Python name it. */
const placeOf = (folder: string) =>
  /^\/(?:usr|bin|sbin|lib\w*|etc|proc|dev|sys|boot|tmp|var|run|logs)(?:\/|$)/.test(folder) ? '/workspace' : folder

function folderOf(directory: string): string {
  let stat: fs.Stats
  let folder: string
  try {
    folder = fs.realpathSync(directory)
    stat = fs.statSync(folder)
  } catch (cause) {
    throw new AppError('invalid_request', {
      message:
        (cause as NodeJS.ErrnoException).code === 'ENOENT'
          ? `The folder ${directory} does not exist.`
          : `The folder ${directory} cannot be read: ${(cause as Error).message}.`,
      hint: 'Write the whole path of a folder on this machine that you may read.',
      cause,
    })
  }
  if (!stat.isDirectory()) throw new AppError('invalid_request', { message: `${directory} is no folder.` })
  if (folder === '/') throw new AppError('invalid_request', { message: 'The whole file system is no project.' })
  return folder
}

/** Null: there is no such file, or it is too large for a report. */
async function textOf(sandboxes: Sandboxes, id: string, file: string): Promise<string | null> {
  const stream = await sandboxes.read(id, file).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'path_refused') return null // the runner wrote none
    throw error
  })
  if (stream === null) return null
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of stream) {
    bytes += (part as Buffer).length
    if (bytes > MOST_REPORT) return null
    parts.push(part as Buffer)
  }
  return Buffer.concat(parts).toString('utf8')
}

const NOTHING: Omit<CheckReport, 'durationMs' | 'restored' | 'changedChecks'> = {
  status: 'none',
  reason:
    'This project names no checks: no verify.sh, no test script in package.json, no tests of Python, Bats, Go or Cargo, no target test in a Makefile. Give a command.',
  runner: null,
  command: null,
  passed: null,
  failed: null,
  skipped: null,
  total: null,
  tests: [],
  exitCode: null,
  outputTail: '',
  others: [],
  isolation: null,
}

export type Checks = ReturnType<typeof createChecks>
