import type { CheckedTest, CheckReport, MissingPart } from '#contracts/entities/check.ts'
import { mayExplain } from './environment.ts'
import type { Declared } from './absent.ts'
import type { Verdict } from './verdict.ts'

/** A run of the checks, without tests of ours. */
export interface ComparedRun {
  verdict: Verdict
  /** All tests; null if the runner does not list them, or wrote no complete report. */
  tests: readonly CheckedTest[] | null
  exitCode: number
  output: string
  /** What the project says it needs. */
  declared: Declared
  /** Tests whose failure the exit code does not show. */
  silenced: readonly string[]
}

export interface Comparison {
  after: ComparedRun
  /** The same checks on the state before; a sentence that says why they were not run. */
  before: ComparedRun | string
  /** What is not in the sandbox. */
  missing: readonly MissingPart[]
  /** The caller's own command, which says what the work must reach. */
  isAcceptance: boolean
}

export type Compared = Verdict & Pick<CheckReport, 'before' | 'knownFailures' | 'newFailures'>

/** A shell uses this exit code and higher ones if a program was not run or was killed. */
const FIRST_SHELL_EXIT_CODE = 126

/**
 * The verdict on work, from the same checks before and after it. A failure counts against the work only if it was not there before:
 * what failed in the same sandbox without the work is known, and may be due to the environment.
 */
export function compare({ after, before, missing, isAcceptance }: Comparison): Compared {
  const known = typeof before === 'string' ? null : before
  const base = { before: known && beforeOf(known), knownFailures: [] as string[], newFailures: [] as string[] }
  const verdict = (status: Verdict['status'], reason: string | null, more: Partial<Compared> = {}): Compared => ({
    ...after.verdict,
    status,
    reason,
    ...base,
    ...more,
  })
  const { status } = after.verdict
  if (status === 'passed' || status === 'none') return verdict(status, after.verdict.reason)
  if (isAcceptance && status === 'failed' && after.tests === null && !mayExplain(after.output, missing, after.declared))
    return verdict('failed', after.verdict.reason)
  if (known === null) return verdict('error', `${sentenceOf(after)} ${before as string}`)
  if (after.tests === null || known.tests === null) return compareByCode(after, known, verdict, missing)

  const red = namesOf(after.tests, isRed)
  const [redBefore, greenBefore] = [namesOf(known.tests, isRed), namesOf(known.tests, isGreen)]
  const green = namesOf(after.tests, isGreen)
  const knownFailures = [...red].filter((name) => redBefore.has(name)).toSorted()
  const unknown = [...red].filter((name) => !redBefore.has(name) && !greenBefore.has(name))
  const seen = new Set(after.tests.map(({ name }) => name))
  // tests of a file that could not be loaded are not listed: only the file is, as one that fails
  const lost = unknown.length === 0 ? [] : [...greenBefore].filter((name) => !seen.has(name))
  const broken = [...red].filter((name) => greenBefore.has(name) && !redBefore.has(name))
  const explained = broken.filter((name) => after.tests!.some((test) => test.name === name && isRed(test) && mayExplain(test.message ?? '', missing, after.declared))) // prettier-ignore
  const newFailures = [...broken.filter((name) => !explained.includes(name)), ...lost].toSorted()
  const names = { knownFailures, newFailures }
  if (newFailures.length > 0) return verdict('failed', null, names)
  if (explained.length > 0)
    return verdict(
      'error',
      `${count(explained.length)} failed for want of something that is not in the sandbox: ${listOf(explained)}.`,
      names,
    )
  if (unknown.length > 0)
    return verdict('error', `${count(unknown.length)} failed that did not run on the state before, so they cannot be compared: ${listOf(unknown)}.`, names) // prettier-ignore
  const isFixed = [...green].some((name) => redBefore.has(name))
  // by the run before, in which the work had no say
  const areExplained = knownFailures.every((name) =>
    known.tests!.some((test) => test.name === name && isRed(test) && mayExplain(test.message ?? '', missing, known.declared)),
  )
  if (knownFailures.length > 0 && green.size > 0 && (isFixed || areExplained)) return verdict('passed', null, names)
  if (knownFailures.length > 0)
    return verdict('error', `${count(knownFailures.length)} failed before the work as well, and no test changed from failed to passed: ${listOf(knownFailures)}.`, names) // prettier-ignore
  return verdict('error', after.verdict.reason)
}

/** By exit code: the command as a whole passed or failed. */
function compareByCode(
  after: ComparedRun,
  before: ComparedRun,
  verdict: (status: Verdict['status'], reason: string | null) => Compared,
  missing: readonly MissingPart[],
): Compared {
  const { status, reason } = after.verdict
  const isRun = after.exitCode > 0 && after.exitCode < FIRST_SHELL_EXIT_CODE
  if (after.silenced.length > 0 && status === 'error') return verdict('error', reason)
  if (status === 'error' && (!isRun || after.tests !== null)) return verdict('error', reason)
  if (before.verdict.status === 'passed' && isRun && !mayExplain(after.output, missing, after.declared))
    return verdict('failed', after.verdict.reason)
  if (before.verdict.status === 'passed')
    return verdict('error', `${sentenceOf(after)} Something that is not in the sandbox may be the reason.`)
  if (status === 'error') return verdict('error', reason)
  return verdict('error', `${sentenceOf(after)} They failed before the work as well.`)
}

const isRed = ({ outcome }: CheckedTest) => outcome === 'failed' || outcome === 'error'
const isGreen = ({ outcome }: CheckedTest) => outcome === 'passed'
const namesOf = (tests: readonly CheckedTest[], isWanted: (test: CheckedTest) => boolean): Set<string> =>
  new Set(tests.filter(isWanted).map(({ name }) => name))
const count = (number: number) => (number === 1 ? '1 test' : `${number} tests`)
const listOf = (names: readonly string[]) => `${names.slice(0, 3).join(', ')}${names.length > 3 ? ` and ${names.length - 3} more` : ''}`
const sentenceOf = ({ verdict: { status, reason } }: ComparedRun) => (status === 'error' && reason !== null ? reason : 'The checks failed.')

const beforeOf = ({ verdict: { status, reason, passed, failed, total, tests }, exitCode }: ComparedRun): CheckReport['before'] => ({
  status,
  reason,
  passed,
  failed,
  total,
  tests,
  exitCode,
})
