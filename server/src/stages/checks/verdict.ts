import type { CheckedTest, CheckReport, CheckStatus, MissingPart } from '#contracts/entities/check.ts'
import { absenceSentence, absentIn, type Declared } from './absent.ts'
import type { Report } from './reports/report.ts'

const MAX_TESTS = 5000
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
/** A shell uses this exit code and higher ones if a program was not run or was killed. */
export const FIRST_SHELL_EXIT_CODE = NOT_EXECUTABLE

export interface CheckRun {
  exitCode: number
  timedOut: boolean
  timeoutSec: number
  output: string
  /** `unreported`: the runner has only an exit code. Null: its report is missing or incomplete. */
  report: Report | null | 'unreported'
  /** Whether it ended as the runner ends without tests. */
  isNothing: boolean
  /** The folder of the project that it ran in; '' for the project itself. */
  folder: string
  /** What the sandbox could not show, although a program of the checks needs it. */
  unseen: string | null
  /** What the project says it needs. */
  declared: Declared
  /** The tests whose failure the exit code does not show, as written in the script. */
  silenced: readonly string[]
  /** The script of the package before or after the tests that failed; null if none did. */
  failedScript: { name: string; exitCode: number } | null
}

export type Verdict = Pick<CheckReport, 'status' | 'reason' | 'passed' | 'failed' | 'skipped' | 'total' | 'tests'>

/** The verdict of a run. With a report, it passes only if the report is complete and has at least one test. */
export function verdictOf(ran: CheckRun): Verdict {
  const { exitCode, timedOut, timeoutSec, report, isNothing } = ran
  const tests = report === null || report === 'unreported' ? [] : report.tests
  const count = (outcome: CheckedTest['outcome']) => tests.filter((test) => test.outcome === outcome).length
  const failed = count('failed')
  const errors = count('error')
  const skipped = count('skipped')
  const isCounted = report !== 'unreported' && report !== null
  const verdictWith = (status: CheckStatus, reason: string | null = null): Verdict => ({
    status,
    reason,
    passed: isCounted ? count('passed') : null,
    failed: isCounted ? failed + errors : null,
    skipped: isCounted ? skipped : null,
    total: isCounted ? tests.length : null,
    tests: tests.toSorted((a, b) => ORDER[a.outcome] - ORDER[b.outcome]).slice(0, MAX_TESTS),
  })
  const where = ran.folder === '' ? '' : ` in ${ran.folder}`
  if (timedOut) return verdictWith('error', `The checks${where} did not end within ${timeoutSec} s and were stopped.`)
  const absent = exitCode === 0 && report !== null ? null : absentIn(ran.output, ran.declared)
  if (exitCode === NOT_FOUND || exitCode === NOT_EXECUTABLE)
    return verdictWith('error', absent?.kind === 'package' ? absenceSentence(absent) : missing(ran))
  if (isNothing) return verdictWith('none', `The runner${where} found no test.`)
  const script = scriptSentence(ran, absent)
  const because = absent === null ? '' : ` ${absenceSentence(absent)}`
  if (report === 'unreported') {
    const signal = signalOf(ran)
    if (signal !== null)
      return verdictWith('error', `The checks${where} were killed (${signal}) before their end, as happens when memory runs out.`)
    if (absent !== null) return verdictWith('error', absenceSentence(absent))
    if (ran.silenced.length > 0) return verdictWith('error', silencedSentence(ran))
    return exitCode === 0 ? verdictWith('passed') : verdictWith('failed', script)
  }
  const module = /No module named '?([\w.]+)'?/.exec(ran.output)?.[1]
  if (report === null)
    return verdictWith(
      'error',
      script ??
        (absent !== null && module === undefined ? absenceSentence(absent) : null) ??
        (module !== undefined
          ? `The Python package ${module} is missing in the sandbox.`
          : `The runner${where} ended with exit code ${exitCode} and wrote no complete report.`),
    )
  const red = tests.filter(isRed).map((test) => ({ test, absent: absentIn(test.message ?? '', ran.declared) }))
  const ownRed = red.flatMap((one) => (one.absent === null ? [one.test] : []))
  // a test that failed has failed whatever else could not be run
  if (ownRed.length > 0 && ownRed.every(({ outcome }) => outcome === 'error'))
    return verdictWith('error', `${errors} of ${tests.length} could not be run.`)
  // what hides a failure from the exit code is in the script, or the two contradict each other
  if (ownRed.length > 0 && exitCode === 0 && ran.silenced.length === 0)
    return verdictWith('error', `${ownRed.length} of ${tests.length} failed by the report, yet the runner${where} ended with exit code 0.`)
  if (ownRed.length > 0) return verdictWith('failed')
  if (red.length > 0) return verdictWith('error', [...new Set(red.map((one) => absenceSentence(one.absent!)))].slice(0, 3).join(' '))
  const isWithoutTests = tests.length === skipped
  if (exitCode !== 0)
    return verdictWith(
      'error',
      isWithoutTests
        ? (script ?? `The runner${where} reports no test that ran, and ended with exit code ${exitCode}.`)
        : `Every test passed, yet ${script === null ? `the runner${where} ended with exit code ${exitCode}.${because}` : script.replace(/^T/, 't')}`,
    )
  if (isWithoutTests) return verdictWith('none', skipped > 0 ? `All ${skipped} tests were skipped.` : `The runner${where} found no test.`)
  return verdictWith('passed')
}

const isRed = ({ outcome }: CheckedTest) => outcome === 'failed' || outcome === 'error'

const scriptSentence = ({ failedScript, folder }: CheckRun, absent: MissingPart | null): string | null =>
  failedScript === null
    ? null
    : `The script "${failedScript.name}"${folder === '' ? '' : ` in ${folder}`} ended with exit code ${failedScript.exitCode}${failedScript.name.startsWith('pre') ? ', so its tests did not run' : ''}.${absent === null ? '' : ` ${absenceSentence(absent)}`}`

const silencedSentence = ({ silenced, exitCode, folder }: CheckRun): string =>
  `The script${folder === '' ? '' : ` in ${folder}`} ends with ${exitCode} whatever its tests say: the failure of ${silenced.slice(0, 3).map((text) => `"${text}"`).join(', ')} does not reach its exit code. End the script with the tests, joined by && and without "|", "&" or "|| true".` // prettier-ignore

/** A shell adds 128 to the number of the signal that ended a program. */
const FIRST_SIGNAL_CODE = 129
const LAST_SIGNAL_CODE = 128 + 31
/** make has an exit code of its own. */
const KILLED_IN_MAKE =
  /^make(?:\[\d+\])?: \*\*\* \[[^\n]*\] (?:(Killed|Terminated|Aborted|Segmentation fault|Bus error|Illegal instruction)|Error (1(?:29|[345]\d)))/m

/** The signal by which a run without a report ended; null if it ended by itself. */
function signalOf({ exitCode, output }: CheckRun): string | null {
  if (exitCode >= FIRST_SIGNAL_CODE && exitCode <= LAST_SIGNAL_CODE) return `exit code ${exitCode}`
  const [, name, code] = KILLED_IN_MAKE.exec(output) ?? []
  return name ?? (code === undefined ? null : `exit code ${code}`)
}

const ORDER = { error: 0, failed: 1, skipped: 2, passed: 3 } as const

const missing = ({ output, unseen }: CheckRun) => {
  const line = output.split('\n').find((one) => /not found|No such file|Permission denied/.test(one))
  const shown = line === undefined ? '' : `: ${line.trim().slice(0, 300)}`
  return `Something that the checks need is missing in the sandbox${shown}.${unseen === null ? '' : ` ${unseen}`}`
}
