import type { MissingPart } from '#contracts/entities/check.ts'
import type { JobContext } from '#server/jobs/jobs.ts'
import type { Place } from '#server/stages/sandboxes/index.ts'
import { runInSandbox, type SandboxDeps, type SandboxedCheck, type SandboxedRun } from '../in-sandbox.ts'
import { compare, type Compared } from '../compare.ts'
import { plantControls } from './controls.ts'
import type { Declared } from '../absent.ts'
import type { Change } from './change.ts'
import { agreedVerdict, type DoubtedVerdict, judgeChange, ownTests, ownVerdict } from './judge.ts'
import { writtenTests } from './written-tests.ts'

interface ChangeCheckRequest {
  change: Change
  checks: SandboxedCheck['checks']
  place: Place
  timeoutSec: number
  /** Installed packages in other folders. */
  packages: SandboxedCheck['copies']
  project: string
  /** Whether the project is in a git repository. */
  hasGit: boolean
  /** What of the project is not in the sandbox. */
  missing: readonly MissingPart[]
  /** The check is the caller's own command. */
  isAcceptance: boolean
  declared: Declared
}

/**
 * Runs the checks from before a change on the changed work, and on the state before it to know which tests exist. In both runs
 * each test file has control tests, whose outcome is known. If they pass, they must pass as well when nothing of ours is there.
 */
export async function checkChange(
  deps: SandboxDeps,
  { change, checks, place, timeoutSec, packages, project, hasGit, missing, isAcceptance, declared }: ChangeCheckRequest,
  context: JobContext,
): Promise<{ after: SandboxedRun; verdict: Compared & Pick<DoubtedVerdict, 'isDoubted'> }> {
  const { start, end, facts, isWork, isCheck, files } = change
  const { planted, files: controls } = await plantControls(checks, facts)
  const base = { checks, project, place, timeoutSec, isGuarded: true, hasGit, declared }
  const copies = [{ from: end, to: '', isWanted: isWork }, { from: start, to: '', isWanted: isCheck }, ...packages]
  const after = await runInSandbox(deps, { ...base, copies, written: [...files, ...controls], watched: change.isWatched }, context)
  const own = ownVerdict(after, planted)
  const isWithoutTests = after.report === 'unreported' || after.report === null
  const isComplete = (own.status === 'passed' || own.status === 'none') && isWithoutTests
  const before = isComplete
    ? null
    : await runInSandbox(deps, { ...base, copies: [{ from: start, to: '' }, ...packages], written: controls, watched: null }, context)
  const compared = compare({
    after: { ...after, verdict: own, tests: ownTests(after, planted) },
    before: before === null ? NOT_RUN : { ...before, verdict: ownVerdict(before, planted), tests: ownTests(before, planted) },
    missing,
    isAcceptance,
  })
  const verdict = judgeChange({
    verdict: compared,
    before: before === null || before.report === 'unreported' ? null : before.report,
    after,
    controls: planted,
    testNames: new Map(
      await Promise.all(controls.map(async ({ name }) => [name, writtenTests(name, (await facts.read(name)) ?? '')] as const)),
    ),
    touched: after.touched,
  })
  const result = { ...compared, ...verdict }
  // the plain command cannot end with 0 if tests fail that failed before as well
  if (result.status !== 'passed' || planted.length === 0 || result.knownFailures.length > 0) return { after, verdict: result }
  const plain = await runInSandbox(deps, { ...base, copies, written: files, isPlain: true, watched: null }, context)
  return {
    after: { ...after, exitCode: plain.exitCode, output: plain.output },
    verdict: isComparable(checks, plain) ? { ...result, ...agreedVerdict(result, plain) } : result,
  }
}

const NOT_RUN = 'The state before was not run.'

/** unittest finds tests in folders that are no packages only when it is told to, as our run does. */
const isComparable = (checks: SandboxedCheck['checks'], { exitCode }: SandboxedRun): boolean =>
  checks.every(({ runner }) => runner !== 'unittest') || exitCode !== NO_TESTS
const NO_TESTS = 5
