import { randomBytes } from 'node:crypto'
import path from 'node:path'
import { SandboxSpec } from '#contracts/entities/sandbox.ts'
import type { FoundCheck } from '#contracts/entities/check.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import { folderInside, HOST_PLACE, type Place, readText, type Sandboxes } from '#server/stages/sandboxes/index.ts'
import type { Declared } from './absent.ts'
import { copyFolder, type FileFilter } from './pack.ts'
import { mergedRun } from './merged-run.ts'
import { notRunBy, wasRun } from './own-tests.ts'
import { inTerminal } from './terminal.ts'
import { withShortNames } from './reports/report.ts'
import { failedScriptsIn, isOptionError, plainCommand, type PlannedCheck, ranNothing, reportedRun } from './runners.ts'
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
  /** What the project says it needs. */
  declared: Declared
  /** Files that are compared before and after the run. */
  watched: ((name: string) => boolean) | null
}

export interface SandboxedRun extends CheckRun {
  /** The run of each check that was run. */
  parts: (CheckRun & { check: PlannedCheck })[]
  /** What was found and not run: projects in folders, and tests that a runner did not take. */
  notRun: FoundCheck[]
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
const MAX_FAILURES = 64 * 1024
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

/** On the user's machine git has a name, too. As the file of the home folder: whatever a test sets itself comes before it. */
const GIT_NAME = "[ -e ~/.gitconfig ] || printf '[user]\\n\\tname = user\\n\\temail = user@localhost\\n' 2>/dev/null >~/.gitconfig"

interface Ran {
  check: PlannedCheck
  run: CheckRun
}

/** Runs checks in a sandbox of their own, which is removed afterwards. Their results are one; `parts` has them apart. */
export async function runInSandbox(
  deps: SandboxDeps,
  request: SandboxedCheck,
  context: Pick<JobContext, 'signal' | 'progress'>,
): Promise<SandboxedRun> {
  const { runs, ...more } = await runOnce(deps, request, context)
  /**
   * If what we added kept a runner from starting, the project's own command decides by its exit code, on a clean copy: the first run may
   * have left something behind. Untrusted work gets no second try.
   */
  const deciding = async ({ check, run }: Ran): Promise<Ran> => {
    const mayBeOurs = run.report === null && run.exitCode !== 0 && run.exitCode < FIRST_SHELL_EXIT_CODE && !run.timedOut
    if (request.isPlain || request.isGuarded || !mayBeOurs || run.failedScript !== null) return { check, run }
    const plain = (await runOnce(deps, { ...request, checks: [check], watched: null, isPlain: true }, context)).runs[0].run
    return { check, run: plain.exitCode === 0 || isOptionError(run.output) ? plain : run }
  }
  const [first, ...others] = runs
  const decided: [Ran, ...Ran[]] = [await deciding(first)]
  for (const one of others) decided.push(await deciding(one))
  const [firstRun, ...otherRuns] = decided.map(({ run }) => run) as [CheckRun, ...CheckRun[]]
  return { ...mergedRun([firstRun, ...otherRuns]), ...more, parts: decided.map(({ check, run }) => ({ ...run, check })) }
}

async function runOnce(
  { sandboxes, toolchains }: SandboxDeps,
  {
    checks,
    copies,
    written,
    project,
    place = HOST_PLACE,
    timeoutSec,
    isGuarded,
    hasGit = false,
    isPlain = false,
    watched,
    declared,
  }: SandboxedCheck,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<Pick<SandboxedRun, 'notRun' | 'isolation' | 'lacksGit' | 'touched'> & { runs: [Ran, ...Ran[]] }> {
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
    const runOne = async (check: PlannedCheck): Promise<CheckRun> => {
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
      const reported = isPlain ? null : reportedRun(check, { file, mark, program, isGuarded })
      for (const { path: name, text, mode } of reported?.programs ?? [])
        await sandboxes.write(id, { path: name, content: text, encoding: 'utf8', mode })
      const own = isPlain ? plainCommand(check) : `mkdir -p ${path.posix.dirname(file)}\n${reported?.command ?? check.command}`
      const command = `${GIT_NAME}\n${own}`
      const result = await exec(inTerminal(command, reported?.stdin !== undefined), {
        env: { CI: '1' },
        ...(reported?.stdin !== undefined && { stdin: reported.stdin }),
        timeoutSec: Math.max(1, Math.ceil((deadline - performance.now()) / 1000)),
        folder: check.folder,
      })
      signal.throwIfAborted()
      const read = reported?.read
      const text =
        read === undefined
          ? null
          : reported?.from === 'output'
            ? result.output
            : await readText(sandboxes, id, file, { mostBytes: MAX_REPORT, ifLarger: null })
      const output = result.output
        .split('\n')
        .filter((line) => !line.startsWith(mark))
        .join('\n')
      const isNothing = reported?.isEmpty(result.exitCode, output) || ranNothing(check, output)
      const report = read === undefined ? 'unreported' : text === null || reported?.isCut?.(output) === true ? null : (read(text) ?? null)
      const failures = check.hooks.length === 0 || isPlain ? null : await readText(sandboxes, id, failedScriptsIn(file), { mostBytes: MAX_FAILURES, ifLarger: null }) // prettier-ignore
      return {
        exitCode: result.exitCode,
        timedOut: result.timedOut,
        timeoutSec,
        output,
        report: report === null ? (isNothing ? { tests: [] } : null) : report === 'unreported' ? report : withShortNames(report),
        isNothing: isNothing && (typeof report !== 'object' || report === null || report.tests.length === 0),
        folder: check.folder,
        unseen: tools.unseen,
        declared,
        silenced: check.silenced,
        failedScript: failedScriptIn(failures ?? '', check.hooks),
      }
    }
    const [first, ...others] = checks
    const runs: [Ran, ...Ran[]] = [{ check: first, run: await runOne(first) }]
    const notRun: FoundCheck[] = []
    const { report } = runs[0].run
    const known = typeof report === 'object' && report !== null && report.places !== undefined ? report : null
    const taken: string[] = []
    for (const check of others) {
      if (check.isSkippedIfRun && known !== null && check.tests.some((file) => wasRun(file, first, known))) taken.push(...check.tests)
      else if (check.reason === null) runs.push({ check, run: await runOne(check) })
      else notRun.push(check)
    }
    const after = before && watched ? await digests() : null
    return {
      runs,
      notRun: [
        ...notRun,
        ...runs.flatMap(({ check, run }, index) =>
          leftByReport(index === 0 ? { ...check, tests: [...check.tests, ...taken] } : check, run),
        ),
      ],
      isolation: isolation?.engine ?? null,
      lacksGit,
      touched: before && after && watched ? differing(before, after).filter(watched) : [],
    }
  } finally {
    await sandboxes.stop(id, true)
  }
}

const leftByReport = (check: PlannedCheck, { report }: CheckRun): FoundCheck[] =>
  typeof report === 'object' && report !== null ? notRunBy(check, report) : []

/** "4 pretest", as our shell lists what failed; the first of them is the reason of the others. */
function failedScriptIn(text: string, hooks: readonly string[]): CheckRun['failedScript'] {
  for (const line of text.split('\n')) {
    const [, code, name] = /^(\d+) (.+)$/.exec(line) ?? []
    if (name !== undefined && hooks.includes(name)) return { name, exitCode: Number(code) }
  }
  return null
}

const hex = (bytes: number): string => randomBytes(bytes).toString('hex')

const differing = (before: ReadonlyMap<string, string>, after: ReadonlyMap<string, string>): string[] =>
  [...new Set([...before.keys(), ...after.keys()])].filter((name) => before.get(name) !== after.get(name)).toSorted()
