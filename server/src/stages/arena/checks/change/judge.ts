import type { CheckedTest } from '#contracts/entities/check.ts'
import type { Report } from '../reports/report.ts'
import { type Ran, type Verdict, verdictOf } from '../verdict.ts'
import type { Control } from './controls.ts'

export interface JudgedChange {
  /** The checks on the state before the change; null: they gave no complete report. */
  before: Report | null
  after: Ran
  controls: readonly Control[]
  /** Names of tests in the text of each file; used if a file could not be loaded before the change. */
  written: ReadonlyMap<string, readonly string[]>
  /** Files of checks that are others after the run. */
  touched: readonly string[]
}

/** A process that ends with these was not run, or killed. */
const FIRST_OF_SHELL = 126

/** The verdict of the project's tests, without the control tests. */
export function ownVerdict(after: Ran, controls: readonly Control[]): Verdict {
  const { report, exitCode, timedOut } = after
  if (report === null || report === 'unreported') return verdictOf(after)
  const isOurs = (test: CheckedTest) => controls.some(({ name }) => test.name.includes(name))
  const fails = report.tests.some((test) => isOurs(test) && test.outcome === 'failed')
  return verdictOf({
    ...after,
    report: { tests: report.tests.filter((test) => !isOurs(test)) },
    exitCode: fails && !timedOut && exitCode < FIRST_OF_SHELL ? 0 : exitCode, // ours failed, as they must
  })
}

/** What the checks say of a change. Passed needs that all which ran before ran again, and that nothing made tests say what they do not. */
export function judgeChange({ before, after, controls, written, touched }: JudgedChange): Verdict {
  const { report, exitCode } = after
  const verdict = ownVerdict(after, controls)
  if (report === null || report === 'unreported') return downgradeVerdict(verdict, touchedReason(touched))
  const isOurs = (test: CheckedTest) => controls.some(({ name }) => test.name.includes(name))
  const own = report.tests.filter(isOurs)
  const tests = report.tests.filter((test) => !isOurs(test))
  const fails = own.some(({ outcome }) => outcome === 'failed')
  const unloaded = (file: string) => before === null || before.tests.some((test) => isLoadFailure(test, file))
  const required = controls.filter((control) => before?.tests.some((test) => isAsPlanted(test, control)) || unloaded(control.file))
  return downgradeVerdict(
    verdict,
    touchedReason(touched) ??
      (fails && exitCode === 0 ? 'Tests failed, yet the runner ended with exit code 0.' : null) ??
      controlReason(required, own) ??
      missingReason(before, tests, isOurs, controls) ??
      writtenReason(written, unloaded, tests),
  )
}

const isAsPlanted = (test: CheckedTest, { name, outcome }: Control) => test.name.includes(name) && test.outcome === outcome

/** Only good results can be forged, so bad ones stay as they are. */
function downgradeVerdict(verdict: Verdict, reason: string | null): Verdict {
  return reason === null || (verdict.status !== 'passed' && verdict.status !== 'none') ? verdict : { ...verdict, status: 'error', reason }
}

const touchedReason = (touched: readonly string[]): string | null =>
  touched.length === 0 ? null : `The run changed its own checks: ${some(touched)}. So what they said is not believed.`

function controlReason(required: readonly Control[], own: readonly CheckedTest[]): string | null {
  for (const control of required) {
    const found = own.filter(({ name }) => name.includes(control.name))
    if (found.length === 0) return `Not all tests of ${control.file} were run: one that was added at its end is missing in the report.`
    if (found.every((test) => test.outcome === control.outcome)) continue
    return control.outcome === 'failed'
      ? `A test that must fail, added to ${control.file}, was reported as ${found[0]!.outcome}. So what the tests said is not believed.`
      : `A test that must pass, added to ${control.file}, was reported as ${found[0]!.outcome}.`
  }
  return null
}

function missingReason(
  before: Report | null,
  tests: readonly CheckedTest[],
  isOurs: (test: CheckedTest) => boolean,
  controls: readonly Control[],
): string | null {
  const ran = new Map<string, number>()
  for (const { name, outcome } of tests) if (outcome !== 'skipped') ran.set(name, (ran.get(name) ?? 0) + 1)
  const missing: string[] = []
  for (const test of before?.tests ?? []) {
    if (isOurs(test) || test.outcome === 'skipped' || controls.some(({ file }) => isLoadFailure(test, file))) continue
    const left = ran.get(test.name) ?? 0
    if (left === 0) missing.push(test.name)
    else ran.set(test.name, left - 1)
  }
  return missing.length === 0 ? null : `Tests that ran before the change did not run after it: ${some(missing)}.`
}

function writtenReason(
  written: ReadonlyMap<string, readonly string[]>,
  unloaded: (file: string) => boolean,
  tests: readonly CheckedTest[],
): string | null {
  const ran = tests.filter(({ outcome }) => outcome !== 'skipped')
  for (const [file, names] of written) {
    if (!unloaded(file)) continue
    const missing = names.filter((name) => !ran.some((test) => test.name.includes(name)))
    if (missing.length > 0) return `Tests of ${file} did not run: ${some(missing)}.`
  }
  return null
}

/** Runners report a file that could not be loaded as a test with its name: a path, or a Python module. */
function isLoadFailure({ name, outcome }: CheckedTest, file: string): boolean {
  if (outcome !== 'error' && outcome !== 'failed') return false
  const module = file.replace(/\.py$/, '').replaceAll('/', '.')
  return name.endsWith(file) || name === module || name.endsWith(`_FailedTest.${module}`)
}

const some = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
