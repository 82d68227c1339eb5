import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { folderInside, HOST_PLACE, type Place, readText, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import { copyFolder, type FileFilter } from './pack.ts'
import { mergedRun } from './merged-run.ts'
import { isOptionError, plainCommand, type PlannedCheck, ranNothing, reportedRun } from './runners.ts'
import type { Toolchains } from './toolchains.ts'
import { type CheckRun, FIRST_SHELL_EXIT_CODE } from './verdict.ts'

/** Which checks are run, and on which files. */
export interface SandboxedCheck {
  /** In order, each in its folder. */
  checks: readonly [PlannedCheck, ...PlannedCheck[]]
  /** Folders that are copied in order, each over the previous ones. */
  copies: { from: string; to: string; isWanted?: FileFilter }[]
  /** Files that are written after the copies. */
  written: { name: string; text: string }[]
  /** The project folder, which determines the interpreters and the path inside. */
  project: string
  /** Where it runs; by default in bubblewrap with the programs of this machine. */
  place?: Place
  timeoutSec: number
  /** Set for code that may try to forge its test results: reports are harder to forge, and a failing test does not end the run. */
  isGuarded: boolean
  /** The project is in a git repository, so it gets a new one with its files as the only commit. */
  hasGit?: boolean
  /** Nothing of ours is added: only the exit code is known. */
  isPlain?: boolean
  /** Files that are compared before and after the run. */
  watched: ((name: string) => boolean) | null
}

export interface SandboxedRun extends CheckRun {
  /** The run of each check. */
  parts: CheckRun[]
  isolation: string | null
  /** Watched files that the run changed, added or removed. */
  touched: string[]
  /** Whether the project's own repository could not be replaced. */
  lacksGit: boolean
}

export interface SandboxDeps {
  sandboxes: Sandboxes
  toolchains: Toolchains
}

const MAX_OUTPUT = 16 * 1024 * 1024
const MAX_REPORT = 64 * 1024 * 1024
const LIMITS = { memoryMb: 4096, cpus: 2, pids: 1024, diskMb: 4096, nofile: 4096, fileMb: 2048, outputBytes: MAX_OUTPUT }
const DIGESTS =
  'find . -type d \\( -name node_modules -o -name .venv -o -name venv -o -name target -o -name __pycache__ -o -name .git \\) -prune -o -type f -print0 | xargs -0 -r sha256sum'

/** A repository without hooks, filters or settings, made inside the sandbox: nothing of it is read here. */
const OWN_REPOSITORY = [
  'export GIT_CONFIG_NOSYSTEM=1 GIT_CONFIG_GLOBAL=/dev/null GIT_AUTHOR_NAME=state GIT_AUTHOR_EMAIL=state@localhost GIT_COMMITTER_NAME=state GIT_COMMITTER_EMAIL=state@localhost',
  'test ! -e .git && git init -q --template= && mkdir -p .git/info',
  "printf '%s\\n' node_modules .venv venv target __pycache__ >.git/info/exclude",
  "git add -A && git commit -q --no-verify --allow-empty -m 'The state that is checked'",
].join('\n')

/** Runs checks in a sandbox of their own, which is removed afterwards. Their results are one; `parts` has them apart. */
export async function runInSandbox(
  { sandboxes, toolchains }: SandboxDeps,
  { checks, copies, written, project, place = HOST_PLACE, timeoutSec, isGuarded, hasGit = false, isPlain = false, watched }: SandboxedCheck,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<SandboxedRun> {
  progress({ phase: 'copying', done: 0, total: null, unit: 'files' })
  const tools = await toolchains.of(new Set(checks.map(({ runner }) => runner)), place, project)
  const spec = SandboxSpec.parse({
    name: `Checks of ${path.basename(project)}`.slice(0, 100),
    ...place,
    profile: 'strict',
    tty: false,
    workdir: folderInside(project),
    env: tools.env,
    limits: LIMITS,
    labels: { checks: project.slice(0, 300) },
    lifetimeSec: Math.max(timeoutSec * 2, 3600),
  })
  const workdir = spec.workdir!
  const { id } = await sandboxes.create(spec)
  sandboxes.allowReading(id, tools.folders)
  const exec = (
    command: string,
    { folder = '', ...options }: { env?: Record<string, string>; stdin?: string; timeoutSec: number; folder?: string },
  ) =>
    sandboxes.exec(
      id,
      {
        command,
        session: 'main',
        standalone: true,
        wait: true,
        maxOutputBytes: MAX_OUTPUT,
        ...options,
        cwd: path.posix.join(workdir, folder),
      },
      signal,
    )
  const digests = async (): Promise<Map<string, string>> => {
    const { output } = await exec(DIGESTS, { timeoutSec })
    return new Map(
      output.split('\n').flatMap((line): [string, string][] => {
        const [, digest, name] = /^\\?([0-9a-f]{64}) [ *]\.\/(.*)$/.exec(line) ?? []
        return digest === undefined || name === undefined ? [] : [[name, digest]]
      }),
    )
  }
  try {
    const { isolation } = await sandboxes.start(id, { wait: true }, signal)
    let files = 0
    for (const { from, to, isWanted } of copies)
      files += await copyFolder(from, to, (tar) => sandboxes.unpack(id, workdir, tar), signal, isWanted)
    for (const { name, text } of written)
      await sandboxes.write(id, { path: path.posix.join(workdir, name), content: text, encoding: 'utf8', mode: 0o644 })
    const lacksGit = hasGit && (await exec(OWN_REPOSITORY, { timeoutSec })).exitCode !== 0
    const before = watched ? await digests() : null
    const deadline = performance.now() + timeoutSec * 1000
    const runOne = async (check: PlannedCheck, isPlainRun: boolean): Promise<CheckRun> => {
      progress({
        phase: 'running',
        done: files,
        total: files,
        unit: 'files',
        message: check.folder === '' ? check.command : `${check.folder}: ${check.command}`,
      })
      // no name of ours, by which code that is tested could recognise these runs
      const [file, program] = [0, 1].map(() => `/tmp/${hex(8)}/${hex(4)}`) as [string, string]
      const mark = `${hex(24)}:`
      const reported = isPlainRun ? null : reportedRun(check, { file, mark, program, isGuarded })
      for (const { path: name, text, mode } of reported?.programs ?? [])
        await sandboxes.write(id, { path: name, content: text, encoding: 'utf8', mode })
      const command = isPlainRun ? plainCommand(check) : `mkdir -p ${path.posix.dirname(file)}\n${reported?.command ?? check.command}`
      const result = await exec(command, {
        env: { CI: '1' },
        ...(reported?.stdin !== undefined && { stdin: reported.stdin }),
        timeoutSec: Math.max(1, Math.ceil((deadline - performance.now()) / 1000)),
        folder: check.folder,
      })
      signal.throwIfAborted()
      const text =
        reported === null
          ? null
          : reported.from === 'output'
            ? result.output
            : await readText(sandboxes, id, file, { mostBytes: MAX_REPORT, ifLarger: null })
      const output = result.output
        .split('\n')
        .filter((line) => !line.startsWith(mark))
        .join('\n')
      const isNothing = reported?.isEmpty(result.exitCode, output) ?? ranNothing(check, output)
      const read = reported === null ? 'unreported' : text === null || reported.isCut?.(output) === true ? null : reported.read(text)
      return {
        exitCode: result.exitCode,
        timedOut: result.timedOut,
        timeoutSec,
        output,
        report: read === null && isNothing ? { tests: [] } : read,
        isNothing: isNothing && (typeof read !== 'object' || read === null || read.tests.length === 0),
        folder: check.folder,
        unseen: tools.unseen,
      }
    }
    /** If what we added kept a runner from starting, the project's own command decides by its exit code. Untrusted work gets no second try. */
    const runOrPlain = async (check: PlannedCheck): Promise<CheckRun> => {
      const run = await runOne(check, isPlain)
      const mayBeOurs = run.report === null && run.exitCode !== 0 && run.exitCode < FIRST_SHELL_EXIT_CODE && !run.timedOut
      if (isPlain || isGuarded || !mayBeOurs) return run
      const plain = await runOne(check, true)
      return plain.exitCode === 0 || isOptionError(run.output) ? plain : run
    }
    const [first, ...others] = checks
    const runs: [CheckRun, ...CheckRun[]] = [await runOrPlain(first)]
    for (const check of others) runs.push(await runOrPlain(check))
    const after = before && watched ? await digests() : null
    return {
      ...mergedRun(runs),
      parts: runs,
      isolation: isolation?.engine ?? null,
      lacksGit,
      touched: before && after && watched ? differing(before, after).filter(watched) : [],
    }
  } finally {
    await sandboxes.stop(id, true)
  }
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

const differing = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).toSorted()
