import { randomBytes } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { CheckReport, FoundCheck } from '#contracts/entities/check.ts'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import { AppError } from '#contracts/errors.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { Sandboxes } from '../sandboxes/service.ts'
import { detect } from './detect.ts'
import { readFacts } from './facts.ts'
import { packFolder } from './pack.ts'
import type { Report } from './reports/report.ts'
import { reportedRun, runnerOf, UNITTEST_DRIVER } from './runners.ts'
import type { Toolchains } from './toolchains.ts'
import { UNITTEST_PROGRAM } from './unittest-driver.ts'
import { verdictOf } from './verdict.ts'

export interface CheckRequest {
  directory: string
  command?: string | undefined
  timeoutSec: number
}

const TAIL_CHARACTERS = 4000
const MOST_OUTPUT = 16 * 1024 * 1024
const MOST_REPORT = 64 * 1024 * 1024
const LIMITS = { memoryMb: 4096, cpus: 2, pids: 1024, diskMb: 4096, nofile: 4096, fileMb: 2048, outputBytes: MOST_OUTPUT }

/** The project's own checks, on a copy of it in a sandbox without network. */
export function createChecks(sandboxes: Sandboxes, toolchains: Toolchains) {
  const find = (directory: string): FoundCheck[] => detect(readFacts(folderOf(directory)))
  return {
    find,
    async run(request: CheckRequest, { signal, progress }: JobContext): Promise<CheckReport> {
      const began = performance.now()
      const folder = folderOf(request.directory)
      const found = find(folder)
      const { command } = request
      const check = command === undefined ? found[0] : { runner: runnerOf(command), command, because: 'given' }
      if (check === undefined) return nothing(performance.now() - began)
      const others = command === undefined ? found.slice(1) : found

      progress({ phase: 'copying', done: 0, total: null, unit: 'files' })
      const tools = await toolchains.of(check.runner, folder)
      const spec = SandboxSpec.parse({
        name: `Checks of ${path.basename(folder)}`.slice(0, 100),
        profile: 'strict',
        tty: false,
        workdir: placeOf(folder),
        env: tools.env,
        limits: LIMITS,
        labels: { checks: folder.slice(0, 300) },
        lifetimeSec: Math.max(request.timeoutSec * 2, 3600),
      })
      const { id } = await sandboxes.create(spec)
      sandboxes.show(id, tools.folders)
      try {
        const { isolation } = await sandboxes.start(id, { wait: true }, signal)
        const packing = packFolder(folder, signal)
        await sandboxes.unpack(id, spec.workdir!, packing.tar).catch(async (error: unknown) => {
          await packing.done // what could not be read is the better reason
          throw error
        })
        const { files } = await packing.done
        if (check.runner === 'unittest')
          await sandboxes.write(id, { path: UNITTEST_DRIVER, content: UNITTEST_PROGRAM, encoding: 'utf8', mode: 0o644 })
        progress({ phase: 'running', done: files, total: files, unit: 'files', message: check.command })
        const file = `/tmp/${randomBytes(8).toString('hex')}/report`
        const run = reportedRun(check, file)
        const result = await sandboxes.exec(
          id,
          {
            command: `mkdir -p ${path.posix.dirname(file)}\n${run?.command ?? check.command}`,
            session: 'main',
            standalone: true,
            wait: true,
            cwd: spec.workdir!,
            env: { CI: '1', ...run?.env },
            timeoutSec: request.timeoutSec,
            maxOutputBytes: MOST_OUTPUT,
          },
          signal,
        )
        signal.throwIfAborted()
        const text = run === null ? null : run.from === 'output' ? result.output : await textOf(sandboxes, id, file)
        const report: Report | null | 'unreported' = run === null ? 'unreported' : text === null ? null : run.read(text)
        return {
          ...verdictOf({ ...result, timeoutSec: request.timeoutSec, report, isNothing: run?.nothing.includes(result.exitCode) ?? false }),
          runner: check.runner,
          command: check.command,
          exitCode: result.exitCode,
          outputTail: result.output.slice(-TAIL_CHARACTERS),
          durationMs: performance.now() - began,
          others,
          isolation: isolation?.engine ?? null,
        }
      } finally {
        await sandboxes.stop(id, true)
      }
    },
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
      message: `The folder ${directory} cannot be read: ${(cause as NodeJS.ErrnoException).code}.`,
      cause,
    })
  }
  if (!stat.isDirectory()) throw new AppError('invalid_request', { message: `${directory} is no folder.` })
  if (folder === '/') throw new AppError('invalid_request', { message: 'The whole file system is no project.' })
  return folder
}

/** Null: there is no such file, or it is too large for a report. */
async function textOf(sandboxes: Sandboxes, id: string, file: string): Promise<string | null> {
  try {
    const parts: Buffer[] = []
    let bytes = 0
    for await (const part of await sandboxes.read(id, file)) {
      bytes += (part as Buffer).length
      if (bytes > MOST_REPORT) return null
      parts.push(part as Buffer)
    }
    return Buffer.concat(parts).toString('utf8')
  } catch {
    return null
  }
}

const nothing = (durationMs: number): CheckReport => ({
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
  durationMs,
  others: [],
  isolation: null,
})

export type Checks = ReturnType<typeof createChecks>
