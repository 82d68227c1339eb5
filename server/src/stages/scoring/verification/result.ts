import type { CheckKind, CheckResult } from '#contracts/entities/score.ts'
import type { StatusSource } from '../shell/read-command.ts'
import { quote, type Report } from './report.ts'
import { toolName } from './wrappers.ts'

export type Outcome = 'success' | 'failure' | 'unknown'

export interface CheckOutcome {
  result: CheckResult
  /** The reason for the result, as a sentence part. */
  why: string
}

/** What the result of a check depends on. */
export interface ResultInput {
  kind: CheckKind
  status: StatusSource
  /** Whether other commands follow, so that a failure of the step may be theirs. */
  followed: boolean
  outcome: Outcome
  exitCode: number | null
  report: Report
  /** Words of the output that show that the command never started; null if there are none. */
  neverStarted: string | null
  isTimedOut: boolean
}

const STOPPED_EXIT_CODES = new Set([124, 130, 137, 143])
const NOT_STARTED_EXIT_CODES = new Set([126, 127])

/** The result of one check. */
export function checkResult({ kind, status, followed, outcome, exitCode, report, neverStarted, isTimedOut }: ResultInput): CheckOutcome {
  const { failure, pass, nothingRan } = report
  const isOwnStatus = status?.by === 'exit'
  const failed = (why: string): CheckOutcome => ({ result: 'failed', why })
  const hasFailed = isOwnStatus && outcome === 'failure'
  if (isTimedOut || (hasFailed && exitCode !== null && STOPPED_EXIT_CODES.has(exitCode))) {
    return failure ? failed(`stopped after reporting "${failure}"`) : { result: 'not_run', why: 'stopped before reporting anything' }
  }
  const printed = printedResult(status, report, outcome)
  if (printed) {
    return printed.result === 'passed' && kind === 'test' && nothingRan
      ? { result: 'unclear', why: `succeeded, but the output says "${nothingRan}"` }
      : printed
  }
  const startError = startFailure(report, neverStarted)
  if (hasFailed) {
    if (exitCode !== null && NOT_STARTED_EXIT_CODES.has(exitCode)) return { result: 'not_run', why: `exit status ${exitCode}` }
    if (startError) return startError
    if (followed && pass && !failure) return { result: 'passed', why: `the output says "${pass}"; a later command failed` }
    return failed(`${exitCode === null ? 'nonzero exit status' : `exit status ${exitCode}`}${failure ? `; "${failure}"` : ''}`)
  }
  if (isOwnStatus && outcome === 'success') {
    return kind === 'test' && nothingRan
      ? { result: 'unclear', why: `succeeded, but the output says "${nothingRan}"` }
      : { result: 'passed', why: 'exit status 0' }
  }
  const reason = isOwnStatus ? 'the outcome of the step is unknown' : 'the exit status is not from this command'
  if (failure) return failed(`${reason}; the output says "${failure}"`)
  if (nothingRan) return { result: 'unclear', why: `${reason}; the output says "${nothingRan}"` }
  if (pass) return { result: 'passed', why: `${reason}; the output says "${pass}"` }
  return startError ?? { result: 'unclear', why: `${reason}; the output reports neither passes nor failures` }
}

/** The status that the command itself printed: a number, or one of two markers. */
function printedResult(status: StatusSource, report: Report, outcome: Outcome): CheckOutcome | null {
  if (status === null || status.by === 'exit') return null
  const reason = `the last line says "${quote(report.lastLine)}"`
  if (status.by === 'printed') {
    const match = new RegExp(`^${status.pattern}$`).exec(report.lastLine)
    if (!match) return null
    const code = Number(match[1])
    if (code === 0) return { result: 'passed', why: reason }
    return NOT_STARTED_EXIT_CODES.has(code) ? { result: 'not_run', why: reason } : { result: 'failed', why: reason }
  }
  const matchesLastLine = (pattern: string) => new RegExp(`^${pattern}$`).test(report.lastLine)
  if (status.passed !== null && matchesLastLine(status.passed)) return { result: 'passed', why: reason }
  if (matchesLastLine(status.failed)) return { result: 'failed', why: reason }
  return status.passed === null && outcome === 'success' && !report.failure
    ? { result: 'passed', why: 'its failure marker was not printed' }
    : null
}

const MAX_LINES = 25

const startFailure = ({ failure, pass, lines }: Report, words: string | null): CheckOutcome | null =>
  words !== null && failure === null && pass === null && lines <= MAX_LINES
    ? { result: 'not_run', why: `the output says "${words}"` }
    : null

const NEVER_STARTED = [
  /command not found/i,
  /: not found$/im,
  /no such command/i,
  /missing script/i,
  /no rule to make target/i,
  /no such (?:task|target|project|service|container)|(?:task|target|goal|project|service|container) .{1,80} (?:not found|does not exist|is not running)/i,
  /(?:task|target) ['"].{1,80}['"] not found/i,
  /unknown (?:lifecycle phase|task|target)/i,
  /cannot connect to the docker daemon/i,
  /^ssh: /m,
  /(?:^|: )cd: /m,
  /^\s*usage:/i,
]
const OPTION_COMPLAINT = /(?:unrecognized|unknown|unexpected|invalid) (?:arguments?|options?|flags?):? *['"]?(-[\w-]+)/i
const NOT_FOUND =
  /(?:No module named|Cannot find module|can't open file|No such file or directory:?|cannot open)[: ]*['"]?([^\s'"]*)|([^\s:'"]{1,300}): No such file/gi

/** Words of the output that show that the command never started. A missing file counts only if it is an argument of the command. */
export function neverStartedWords(output: string | null, words: readonly string[], exitCode: number | null): string | null {
  if (output === null || output.length > 8_000) return null
  for (const pattern of NEVER_STARTED) {
    const match = pattern.exec(output)
    if (match) return quote(match[0])
  }
  const option = OPTION_COMPLAINT.exec(output)
  if (option && words.some((word) => word.startsWith(option[1]!))) return quote(option[0])
  const name = toolName(words[0]!)
  if (name === 'pytest' && (exitCode === 4 || exitCode === 5)) return exitCode === 5 ? 'no tests collected' : 'usage error'
  for (const match of output.matchAll(NOT_FOUND)) {
    const missing = match[1] || match[2]
    if (
      missing &&
      (missing === name || words.some((word) => word.length > 2 && (missing === word || missing.endsWith(`/${word.replace(/^\.\//, '')}`))))
    )
      return quote(match[0])
  }
  return null
}
