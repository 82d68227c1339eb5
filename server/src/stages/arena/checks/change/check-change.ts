import type { JobContext } from '#server/jobs/jobs.ts'
import type { Place } from '../../sandboxes/place.ts'
import { runInSandbox, type SandboxDeps, type SandboxedCheck, type SandboxedRun } from '../in-sandbox.ts'
import type { Verdict } from '../verdict.ts'
import { plantControls } from './controls.ts'
import type { Change } from './change.ts'
import { agreedVerdict, judgeChange, ownVerdict } from './judge.ts'
import { writtenTests } from './written-tests.ts'

interface ChangeCheckRequest {
  change: Change
  checks: SandboxedCheck['checks']
  place: Place
  timeoutSec: number
  /** Installed packages in other folders. */
  packages: SandboxedCheck['copies']
  project: string
}

/**
 * Runs the checks from before a change on the changed work, and on the state before it to know which tests exist. In both runs
 * each test file has control tests, whose outcome is known. If they pass, they must pass as well when nothing of ours is there.
 */
export async function checkChange(
  deps: SandboxDeps,
  { change, checks, place, timeoutSec, packages, project }: ChangeCheckRequest,
  context: JobContext,
): Promise<{ after: SandboxedRun; verdict: Verdict }> {
  const { start, end, facts, isWork, isCheck, files } = change
  const { planted, files: controls } = await plantControls(checks, facts)
  const base = { checks, project, place, timeoutSec, isGuarded: true }
  const copies = [{ from: end, to: '', isWanted: isWork }, { from: start, to: '', isWanted: isCheck }, ...packages]
  const after = await runInSandbox(deps, { ...base, copies, written: [...files, ...controls], watched: change.isWatched }, context)
  const { status } = ownVerdict(after, planted)
  const mayPass = (status === 'passed' || status === 'none') && after.report !== 'unreported'
  const before = mayPass
    ? await runInSandbox(deps, { ...base, copies: [{ from: start, to: '' }, ...packages], written: controls, watched: null }, context)
    : null
  const verdict = judgeChange({
    before: before?.report === 'unreported' ? null : (before?.report ?? null),
    after,
    controls: planted,
    testNames: new Map(
      await Promise.all(controls.map(async ({ name }) => [name, writtenTests(name, (await facts.read(name)) ?? '')] as const)),
    ),
    touched: after.touched,
  })
  if (verdict.status !== 'passed' || planted.length === 0) return { after, verdict }
  const plain = await runInSandbox(deps, { ...base, copies, written: files, isPlain: true, watched: null }, context)
  return {
    after: { ...after, exitCode: plain.exitCode, output: plain.output },
    verdict: isComparable(checks, plain) ? agreedVerdict(verdict, plain) : verdict,
  }
}

/** unittest finds tests in folders that are no packages only when it is told to, as our run does. */
const isComparable = (checks: SandboxedCheck['checks'], { exitCode }: SandboxedRun): boolean =>
  checks.every(({ runner }) => runner !== 'unittest') || exitCode !== NO_TESTS
const NO_TESTS = 5
