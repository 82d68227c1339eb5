import fs from 'node:fs'
import path from 'node:path'
import type { CheckedPart, CheckReport, FoundCheck, MissingPart, RestoredState } from '#contracts/entities/check.ts'
import { AppError } from '#contracts/errors.ts'
import { inJudged } from '#server/foreign/index.ts'
import { requireSamePlace } from '#server/real-path.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { Git } from '#server/adapters/git/index.ts'
import { changeOf } from './change/change.ts'
import { checkChange } from './change/check-change.ts'
import { declaredOf } from './absent.ts'
import { compare, type ComparedRun } from './compare.ts'
import { detect, plannedOf } from './detect.ts'
import { missingRunner, type ProbedCheck } from './probe.ts'
import { ignoredParts, missingFromCommit } from './environment.ts'
import { environmentsOf, type ProjectFacts, readFacts } from './facts.ts'
import { HOST_PLACE, type Place } from '#server/stages/sandboxes/index.ts'
import { runInSandbox, type SandboxDeps, type SandboxedRun } from './in-sandbox.ts'
import type { SessionChanges } from './restore/changes.job.ts'
import { restore, restoreBefore } from './restore/restore.ts'
import { type CheckResults, countsForScore } from './results.ts'
import { absentIn } from './absent.ts'
import { type PlannedCheck, runnerOf } from './runners.ts'
import { type CheckRun, type Verdict, verdictOf } from './verdict.ts'

interface CheckOptions {
  command?: string | undefined
  timeoutSec: number
}

/** What an agent did to a project, as two folders of this machine. */
export interface CheckedChange {
  /** The state before the change: checks, their configuration and installed packages are taken from it. */
  start: string
  /** The state after the change. */
  end: string
  /** Installed packages in other folders. */
  packages?: { from: string; to: string }[]
  /** The original project folder, which determines the interpreters and the path inside. */
  project?: string
  command?: string | undefined
  /** Where the checks run; by default in bubblewrap. */
  place?: Place
  timeoutSec: number
}

/** The states of a session in folders that will be removed. */
interface RestoredFolders {
  after: string
  /** Throws `state_not_restorable`. */
  before: () => Promise<string>
  project: string
  state: RestoredState
  /** Another empty folder beside them. */
  place: (name: string) => string
}

/** What a session did to a project. */
export interface SessionWork extends Pick<RestoredFolders, 'after' | 'before' | 'project' | 'place'> {
  /** What the user asked for, in order. */
  prompts: string[]
  packages: { from: string; to: string }[]
  /** Changes that could not be restored. */
  missing: RestoredState['missing']
  /** The commit that the state after was restored from. */
  commit: string
}

const TAIL_CHARACTERS = 4000

export interface ChecksDeps extends SandboxDeps {
  git: Git
  /** How a session changed its files; null if there is no such session. */
  changes: (traceId: string, signal: AbortSignal) => Promise<SessionChanges | null>
  /** A folder for restored copies, emptied at each start. */
  folder: string
  results: CheckResults
  /** Called when a session has a new result, which may change its score. Throws `trace_not_found`. */
  onResult: (traceId: string, signal: AbortSignal) => Promise<void>
}

/** Runs a project's own checks on a copy in a sandbox without network. */
export function createChecks(deps: ChecksDeps) {
  const { git, changes, folder: restores, results, onResult } = deps
  const find = async (directory: string): Promise<FoundCheck[]> => {
    const { run: first, others } = await detect(await readFacts(await folderOf(directory)))
    return [...first, ...others].map(foundOf)
  }

  /** Chooses the checks to run: the caller's command, or the first check that is found, with those of its kind. */
  const choose = async (facts: ProjectFacts, command: string | undefined): Promise<Chosen> => {
    const found = await detect(facts)
    if (command === undefined) {
      const [first, ...more] = found.run
      return { checks: first === undefined ? null : [first, ...more], others: found.others.map(foundOf) }
    }
    const all = [...found.run, ...found.others]
    const own = all.find((one) => one.command === command && one.folder === '')
    const given = own ?? (await plannedOf({ runner: runnerOf(command), command, because: '', folder: '', reason: null }, facts))
    return { checks: [given], others: all.filter((one) => one !== own).map(foundOf) }
  }

  /** Checks a folder as it is. There is no state before, so its own tests decide. */
  const run = async (folder: string, { command, timeoutSec }: CheckOptions, context: JobContext): Promise<CheckReport> => {
    const began = performance.now()
    const facts = await readFacts(folder)
    const { checks, others } = await choose(facts, command)
    if (checks === null) return { ...NO_CHECKS_REPORT, others, restored: null, durationMs: performance.now() - began }
    const hasGit = await isInRepository(folder)
    const ran = await runInSandbox(
      deps,
      {
        checks,
        copies: [{ from: folder, to: '' }],
        written: [],
        project: folder,
        timeoutSec,
        hasGit,
        declared: await declaredOf(facts),
        ...OPEN,
      },
      context,
    )
    const report = {
      ...reportOf(ran, verdictOf(ran), checks),
      others: [...others, ...ran.notRun.map(foundOf)],
      restored: null,
      changedChecks: [],
    }
    return { ...NOT_COMPARED, ...report, missing: missingIn(ran), durationMs: performance.now() - began }
  }

  /** Restores a session's states into folders that exist during `use`. Throws `state_not_restorable`. */
  const inStates = async <T>(
    changed: SessionChanges,
    { signal, progress }: JobContext,
    use: (states: RestoredFolders) => Promise<T>,
  ): Promise<T> => {
    fs.mkdirSync(restores, { recursive: true, mode: 0o700 })
    const work = fs.mkdtempSync(path.join(restores, 'state-'))
    const place = (name: string) => {
      const folder = path.join(work, name)
      fs.mkdirSync(folder)
      return folder
    }
    try {
      const after = place('files')
      progress({ phase: 'restoring', done: 0, total: null, unit: 'files' })
      const { state, project } = await restore(changed, { git, folder: after, scratch: place('git'), signal })
      const before = async () => {
        const folder = place('before')
        await restoreBefore(changed, { project, git, folder, scratch: place('git-before'), signal })
        return folder
      }
      return await use({ after, before, project, state, place })
    } finally {
      await fs.promises.rm(work, { recursive: true, force: true })
    }
  }

  const runRestored = (changed: SessionChanges, { command, timeoutSec }: CheckOptions, context: JobContext): Promise<CheckReport> =>
    inStates(changed, context, async ({ after: folder, before, project, state }) => {
      const began = performance.now()
      const parts = [...(await missingFromCommit(folder)), ...(await ignoredParts(project, git))]
      const restored = { ...state, missing: [...state.missing, ...parts] }
      const { installed } = await readFacts(project)
      const facts = { ...(await readFacts(folder)), installed }
      const { checks, others } = await choose(facts, command)
      if (checks === null) return { ...NO_CHECKS_REPORT, others, restored, durationMs: performance.now() - began }
      const declared = await declaredOf(facts)
      const runOn = async (from: string): Promise<SandboxedRun> => {
        const packages = (await packagesOf(project, from, installed)).map((name) => ({ from: path.join(project, name), to: name }))
        const copies = [{ from, to: '' }, ...packages]
        return runInSandbox(deps, { checks, copies, written: [], project, timeoutSec, hasGit: true, declared, ...OPEN }, context)
      }
      const comparedOf = (ran: SandboxedRun): ComparedRun => ({ ...ran, verdict: verdictOf(ran), tests: testsOf(ran) })
      const after = await runOn(folder)
      const runBefore = async (): Promise<ComparedRun | string> => {
        let folderBefore: string
        try {
          folderBefore = await before()
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'state_not_restorable') throw error
          return `The state before the session could not be run: ${error.message}`
        }
        return comparedOf(await runOn(folderBefore))
      }
      const missing = [...restored.missing, ...missingIn(after)]
      const verdict = compare({ after: comparedOf(after), before: await runBefore(), missing, isAcceptance: false })
      const report = {
        ...NOT_COMPARED,
        ...reportOf(after, verdict, checks),
        others: [...others, ...after.notRun.map(foundOf)],
        restored,
        changedChecks: [],
      }
      return { ...report, missing: missingIn(after), durationMs: performance.now() - began }
    })

  /** Whether a project is in a git repository, which its tests may ask for. */
  const isInRepository = (folder: string): Promise<boolean> =>
    git.top(folder).then(
      (top) => top !== null,
      () => false, // a repository that git refuses is not replaced
    )

  return {
    find,
    resultOf: results.get,
    /** What a project's check lacks in its sandbox; null if nothing that can be known before it runs. */
    lackOf: async (project: string, check: ProbedCheck, place: Place, signal: AbortSignal): Promise<string | null> =>
      missingRunner(deps, { check, project: await folderOf(project), place }, { signal, progress: () => {} }),
    async run({ directory, ...options }: CheckOptions & { directory: string }, context: JobContext): Promise<CheckReport> {
      requireSamePlace(directory) // it may have waited
      const folder = await folderOf(directory)
      return run(folder, options, context)
    },
    /** Checks the state that a session left, and stores the result for its score. Throws `state_not_restorable`. */
    async runOfTrace(traceId: string, options: CheckOptions, context: JobContext): Promise<{ report: CheckReport; counts: boolean }> {
      const changed = await changes(traceId, context.signal)
      if (!changed) throw new AppError('trace_not_found')
      const report = await runRestored(changed, options, context)
      try {
        results.keep(traceId, report, changed.calls)
        await onResult(traceId, context.signal)
      } catch (error) {
        if (error instanceof AppError && error.code === 'trace_not_found') results.forget(traceId) // deleted in the meantime
        throw error
      }
      return { report, counts: countsForScore(report) }
    },
    /**
     * What a session did, with its states in folders that exist during `use`. Null if there is no such session. Throws
     * `state_not_restorable`.
     */
    async withStates<T>(traceId: string, context: JobContext, use: (work: SessionWork) => Promise<T>): Promise<T | null> {
      const changed = await changes(traceId, context.signal)
      if (!changed) return null
      return inStates(changed, context, async ({ after, before, project, state, place }) => {
        const { installed } = await readFacts(project)
        const packages = (await packagesOf(project, after, installed)).map((name) => ({ from: path.join(project, name), to: name }))
        return use({ prompts: changed.prompts, project, after, before, packages, missing: state.missing, commit: state.commit, place })
      })
    },
    /**
     * Checks a change with the checks that the project had before it. Tests, their configuration, scripts that run them and
     * installed packages are taken from the start; changes to them are reported and have no effect.
     */
    async runOfChange(
      { start, end, command, timeoutSec, place = HOST_PLACE, packages = [], project = start }: CheckedChange,
      context: JobContext,
    ): Promise<CheckReport> {
      const began = performance.now()
      const before = await folderOf(start)
      const found = await readFacts(before)
      const facts = { ...found, installed: new Set([...found.installed, ...packages.flatMap(({ to }) => installedIn(to))]) }
      const { checks, others } = await choose(facts, command)
      const change = await changeOf(before, await folderOf(end), { facts, commands: checks?.map((one) => one.command) ?? [] })
      const { changedChecks } = change
      const missing = [...(await missingFromCommit(before)), ...(await ignoredParts(project, git))]
      if (checks === null) return { ...NO_CHECKS_REPORT, others, changedChecks, restored: null, durationMs: performance.now() - began }
      const { after, verdict } = await checkChange(
        deps,
        {
          change,
          checks,
          place,
          timeoutSec,
          packages,
          project: await folderOf(project),
          hasGit: await isInRepository(project),
          missing,
          isAcceptance: command !== undefined,
          declared: await declaredOf(facts),
        },
        context,
      )
      const report = {
        ...NOT_COMPARED,
        ...reportOf(after, verdict, checks),
        others: [...others, ...after.notRun.map(foundOf)],
        restored: null,
        changedChecks,
      }
      return { ...report, missing: [...missing, ...missingIn(after)], durationMs: performance.now() - began }
    },
    /** Removes copies left by a server that was killed. */
    sweep: () => fs.rmSync(restores, { recursive: true, force: true }),
  }
}

/** The folder that has a folder of installed packages. */
const installedIn = (name: string): string[] =>
  path.posix.basename(name) === 'node_modules' ? [path.posix.dirname(name).replace(/^\.$/, '')] : []

const OPEN = { isGuarded: false, watched: null } as const

const testsOf = ({ report }: SandboxedRun) => (report === null || report === 'unreported' ? null : report.tests)

/** What a run shows to be missing. */
function missingIn(ran: SandboxedRun): MissingPart[] {
  const { lacksGit, output, declared } = ran
  const messages = (testsOf(ran) ?? []).map(({ message }) => message ?? '')
  const absent = ran.exitCode === 0 ? [] : [output, ...messages].flatMap((text) => absentIn(text, declared) ?? [])
  return [
    ...(lacksGit ? [{ file: '.git', kind: 'git' as const, reason: 'git could not make a repository in the sandbox' }] : []),
    ...new Map(absent.map((part) => [part.file, part])).values(),
  ]
}

/** Folders with installed packages that a project has and its restored state has not. Links are not followed: they could lead anywhere. */
async function packagesOf(project: string, restored: string, installed: ReadonlySet<string>): Promise<string[]> {
  const folders = [...installed].map((folder) => path.posix.join(folder, 'node_modules'))
  const isFolder = (name: string) => inJudged(project, async (from) => (await from.find(name).catch(() => null))?.kind === 'folder')
  const there = await Promise.all(folders.map(async (name) => ((await isFolder(name)) ? [name] : [])))
  const names = [...there.flat(), ...(await environmentsOf(project))]
  return inJudged(restored, async (to) => {
    const missing = await Promise.all(names.map(async (name) => ((await to.find(name).catch(() => null)) === null ? [name] : [])))
    return missing.flat()
  })
}

async function folderOf(directory: string): Promise<string> {
  let stat: fs.Stats
  let folder: string
  try {
    folder = path.resolve(directory) // it was judged as it is: a link that takes its place from here on is not followed
    stat = await fs.promises.stat(folder)
    if (stat.isDirectory()) await inJudged(folder, (opened) => opened.withOpen('', async () => {}))
  } catch (cause) {
    throw new AppError('invalid_request', {
      message:
        (cause as NodeJS.ErrnoException).code === 'ENOENT'
          ? `The folder ${directory} does not exist.`
          : `The folder ${directory} cannot be read: ${(cause as Error).message}.`,
      hint: 'Enter the absolute path of a folder on this machine that you can read.',
      cause,
    })
  }
  if (!stat.isDirectory()) throw new AppError('invalid_request', { message: `${directory} is not a folder.` })
  if (folder === '/') throw new AppError('invalid_request', { message: 'The whole file system is not a project.' })
  return folder
}

interface Chosen {
  /** Null if there are none. */
  checks: [PlannedCheck, ...PlannedCheck[]] | null
  others: FoundCheck[]
}

const foundOf = ({ runner, command, because, folder, reason }: FoundCheck): FoundCheck => ({ runner, command, because, folder, reason })

const reportOf = (
  { exitCode, output, isolation, parts }: SandboxedRun,
  verdict: Verdict,
  checks: readonly [PlannedCheck, ...PlannedCheck[]],
) => ({
  ...verdict,
  runner: checks[0].runner,
  command: checks[0].command,
  parts: parts.length < 2 ? [] : parts.map((part) => ({ ...foundOf(part.check), ...partOf(part) })),
  exitCode,
  outputTail: output.slice(-TAIL_CHARACTERS),
  isolation,
  reward: null,
})

function partOf(run: CheckRun): Omit<CheckedPart, Exclude<keyof FoundCheck, 'reason'>> {
  const { status, reason, passed, failed, skipped, total } = verdictOf(run)
  return { status, reason, passed, failed, skipped, total }
}

/** Of checks without a state before. */
export const NOT_COMPARED = {
  before: null,
  knownFailures: [],
  newFailures: [],
  missing: [],
  isDoubted: false,
} satisfies Partial<CheckReport>

const NO_CHECKS_REPORT: Omit<CheckReport, 'durationMs' | 'restored'> = {
  status: 'none',
  reason:
    'No checks were found in this project or in folders below it: no verify.sh, no test script in package.json, no Python, Bats, Go or Cargo tests, no "test" target in a Makefile, and no test command or script in .github/workflows, .gitlab-ci.yml, .travis.yml or .circleci/config.yml. Enter a command.',
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
  parts: [],
  changedChecks: [],
  isolation: null,
  reward: null,
  ...NOT_COMPARED,
}

export type Checks = ReturnType<typeof createChecks>
