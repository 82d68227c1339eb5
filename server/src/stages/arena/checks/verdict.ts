import type { CheckedTest, CheckReport, CheckStatus } from '#contracts/entities/check.ts'
import type { Report } from './reports/report.ts'

const MAX_TESTS = 5000
const NOT_FOUND = 127
const NOT_EXECUTABLE = 126
/** A shell adds the number of the signal that ended a program. */
const FIRST_SIGNAL = 128

export interface CheckRun {
  exitCode: number
  timedOut: boolean
  timeoutSec: number
  output: string
  /** `unreported`: the runner has only an exit code. Null: its report is missing or incomplete. */
  report: Report | null | 'unreported'
  /** Whether the exit code means that there were no tests. */
  isNothing: boolean
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
  if (timedOut) return verdictWith('error', `The checks did not end within ${timeoutSec} s and were stopped.`)
  if (exitCode === NOT_FOUND || exitCode === NOT_EXECUTABLE) return verdictWith('error', missing(ran))
  if (isNothing) return verdictWith('none', 'The runner found no test.')
  if (report === 'unreported' && exitCode > FIRST_SIGNAL)
    return verdictWith('error', `The checks were killed (exit code ${exitCode}, signal ${exitCode - FIRST_SIGNAL}).`)
  if (report === 'unreported') return verdictWith(exitCode === 0 ? 'passed' : 'failed')
  const module = /No module named '?([\w.]+)'?/.exec(ran.output)?.[1]
  if (report === null)
    return verdictWith(
      'error',
      module !== undefined && tests.length === 0
        ? `The Python package ${module} is missing in the sandbox.`
        : `The runner ended with exit code ${exitCode} and wrote no complete report.`,
    )
  if (errors > 0) return verdictWith('error', `${errors} of ${tests.length} could not be run.`)
  if (failed > 0) return verdictWith('failed')
  if (tests.length === skipped) return verdictWith('none', skipped > 0 ? `All ${skipped} tests were skipped.` : 'The runner found no test.')
  if (exitCode !== 0) return verdictWith('error', `Every test passed, yet the runner ended with exit code ${exitCode}.`)
  return verdictWith('passed')
}

const ORDER = { error: 0, failed: 1, skipped: 2, passed: 3 } as const

const missing = ({ output }: CheckRun) => {
  const line = output.split('\n').find((one) => /not found|No such file|Permission denied/.test(one))
  return `Something that the checks need is missing in the sandbox${line === undefined ? '' : `: ${line.trim().slice(0, 300)}`}.`
}
