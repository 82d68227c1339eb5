import type { CheckedTest } from '#contracts/entities/check.ts'
import type { Report } from '../reports/report.ts'
import { type CheckRun, FIRST_SHELL_EXIT_CODE, type Verdict, verdictOf } from '../verdict.ts'
import { type Control, isNamed } from './controls.ts'

export interface JudgedChange {
  /** The verdict of the project's own tests. */
  verdict: Verdict
  /** The report of the checks on the state before the change; null if it is incomplete. */
  before: Report | null
  after: CheckRun
  controls: readonly Control[]
  /** Names of the tests in the text of each file, used if the file could not be loaded before the change. */
  testNames: ReadonlyMap<string, readonly string[]>
  /** Files of checks that the run itself changed. */
  touched: readonly string[]
}

/** The verdict of the project's tests, without the control tests. */
export function ownVerdict(after: CheckRun, controls: readonly Control[]): Verdict {
  const { report, exitCode, timedOut } = after
  if (report === null || report === 'unreported') return verdictOf(after)
  const isControl = (test: CheckedTest) => controls.some(({ name }) => isNamed(test.name, name))
  const hasFailedControl = report.tests.some((test) => isControl(test) && test.outcome === 'failed')
  const own = report.tests.filter((test) => !isControl(test))
  const hasFailed = own.some(({ outcome }) => outcome === 'failed' || outcome === 'error')
  return verdictOf({
    ...after,
    report: { tests: own },
    exitCode: hasFailedControl && !hasFailed && !timedOut && exitCode < FIRST_SHELL_EXIT_CODE ? 0 : exitCode, // the control test failed as intended
  })
}

/** The project's own tests of a run; null if they are not known. */
export function ownTests({ report }: Pick<CheckRun, 'report'>, controls: readonly Control[]): CheckedTest[] | null {
  if (report === null || report === 'unreported') return null
  return report.tests.filter((test) => !controls.some(({ name }) => isNamed(test.name, name)))
}

/** `isDoubted`: a good result that is not believed. */
export type DoubtedVerdict = Verdict & { isDoubted: boolean }

/** `plain`: the checks as the project runs them, without anything of ours. They must agree, so that nothing is gained by recognising our tests. */
export function agreedVerdict(verdict: Verdict, plain: Pick<CheckRun, 'exitCode' | 'timedOut'>): DoubtedVerdict {
  if (plain.exitCode === 0 && !plain.timedOut) return { ...verdict, isDoubted: false }
  const how = plain.timedOut ? 'did not end in time' : `ended with exit code ${plain.exitCode}`
  return downgradeVerdict(verdict, `The tests passed with added control tests, yet without them the same command ${how}.`)
}

/** The verdict of the checks on a change. It can only pass if every test from before ran again and nothing indicates forged results. */
export function judgeChange({ verdict, before, after, controls, testNames, touched }: JudgedChange): DoubtedVerdict {
  const { report, exitCode, silenced } = after
  if (report === null || report === 'unreported') return downgradeVerdict(verdict, touchedReason(touched))
  const isControl = (test: CheckedTest) => controls.some(({ name }) => isNamed(test.name, name))
  const controlTests = report.tests.filter(isControl)
  const tests = report.tests.filter((test) => !isControl(test))
  const hasFailedControl = controlTests.some(({ outcome }) => outcome === 'failed')
  const isUnloaded = (file: string) => before === null || before.tests.some((test) => isLoadFailure(test, file))
  const required = controls.filter(
    (control) => before?.tests.some((test) => isReportedAsIntended(test, control)) || isUnloaded(control.file),
  )
  return downgradeVerdict(
    verdict,
    touchedReason(touched) ??
      (hasFailedControl && exitCode === 0 && silenced.length === 0 ? 'Tests failed, yet the runner ended with exit code 0.' : null) ??
      controlReason(required, controlTests) ??
      missingReason(before, tests, isControl, controls) ??
      unrunReason(testNames, isUnloaded, tests),
  )
}

const isReportedAsIntended = (test: CheckedTest, { name, outcome }: Control) => isNamed(test.name, name) && test.outcome === outcome

/** Only good results are worth forging, so bad ones are not changed. */
function downgradeVerdict(verdict: Verdict, reason: string | null): DoubtedVerdict {
  return reason === null || (verdict.status !== 'passed' && verdict.status !== 'none')
    ? { ...verdict, isDoubted: false }
    : { ...verdict, status: 'error', reason, isDoubted: true }
}

const touchedReason = (touched: readonly string[]): string | null =>
  touched.length === 0 ? null : `The run changed its own checks: ${listOf(touched)}. Their results are therefore not trusted.`

function controlReason(required: readonly Control[], controlTests: readonly CheckedTest[]): string | null {
  for (const control of required) {
    const found = controlTests.filter(({ name }) => isNamed(name, control.name))
    if (found.length === 0) return `Not all tests of ${control.file} were run: a test that was added to it is missing from the report.`
    if (found.every((test) => test.outcome === control.outcome)) continue
    return control.outcome === 'failed'
      ? `A test that must fail, added to ${control.file}, was reported as ${found[0]!.outcome}. The test results are therefore not trusted.`
      : `A test that must pass, added to ${control.file}, was reported as ${found[0]!.outcome}.`
  }
  return null
}

function missingReason(
  before: Report | null,
  tests: readonly CheckedTest[],
  isControl: (test: CheckedTest) => boolean,
  controls: readonly Control[],
): string | null {
  const ran = new Map<string, number>()
  for (const { name, outcome } of tests) if (outcome !== 'skipped') ran.set(name, (ran.get(name) ?? 0) + 1)
  const missing: string[] = []
  for (const test of before?.tests ?? []) {
    if (isControl(test) || test.outcome === 'skipped' || controls.some(({ file }) => isLoadFailure(test, file))) continue
    const remaining = ran.get(test.name) ?? 0
    if (remaining === 0) missing.push(test.name)
    else ran.set(test.name, remaining - 1)
  }
  return missing.length === 0 ? null : `Tests that ran before the change did not run after it: ${listOf(missing)}.`
}

function unrunReason(
  testNames: ReadonlyMap<string, readonly string[]>,
  isUnloaded: (file: string) => boolean,
  tests: readonly CheckedTest[],
): string | null {
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped')
  for (const [file, names] of testNames) {
    if (!isUnloaded(file)) continue
    const missing = names.filter((name) => !ran.some((test) => test.name.includes(name)))
    if (missing.length > 0) return `Tests of ${file} did not run: ${listOf(missing)}.`
  }
  return null
}

/** Runners report a file that could not be loaded as a test with its name: a path, or a Python module. */
function isLoadFailure({ name, outcome }: CheckedTest, file: string): boolean {
  if (outcome !== 'error' && outcome !== 'failed') return false
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  return name.endsWith(file) || name === module || name.endsWith(`_FailedTest.${module}`)
}

const listOf = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
