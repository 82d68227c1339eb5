import { stripVTControlCharacters } from 'node:util'

export type Outcome = 'success' | 'failure' | 'unknown'
export type Result = 'passed' | 'failed' | 'unclear' | 'not_run'

export interface RunOutcome {
  result: Result
  /** What decided, for a reader. */
  why: string
  passedCount: number | null
  failedCount: number | null
}

/** A count stands alone: neither a part of a version nor of a word. "of" joins totals ("0 of 3 tests failed"). */
const COUNT = String.raw`(?<![\w.,])(?<!\bof\s)(\d+(?:,\d{3})*)(?:[ \t]+of[ \t]+\d+)?[ \t]+(?:(?:tests?|specs?|examples?|suites?|files?|checks?|cases?|assertions?)[ \t]+)?`
const FAILED_BEFORE = new RegExp(`${COUNT}(?:failed|failing|failures?|errors?)\\b(?![ \\t]*[:=][ \\t]*\\d)`, 'gi')
const FAILED_AFTER = /\b(?:failed|failures|errors)["']?[ \t]*[:=][ \t]*(\d+)/gi
const PASSED_BEFORE = new RegExp(`${COUNT}(?:passed|passing)\\b`, 'gi')
const TAP_FAIL = /(?:#|ℹ) fail (\d+)/gi
const TAP_PASS = /(?:#|ℹ) pass (\d+)/gi

const FAILURE_WORDS = [
  /^[ \t]*(?:FAIL(?:ED)?\b(?!["']?\s*[:=]\s*0+\b)|--- FAIL\b|not ok\b).*/im,
  /error TS\d+/i,
  /test result: FAILED/i,
  /BUILD FAILED|BUILD FAILURE/i,
]
const PASS_WORDS = [/test result: ok/i, /^[ \t]*ok\b.*/im, /all checks passed/i, /build succeeded|build success/i]
const NO_FAILURES = new RegExp(`${COUNT}(?:failed|failures|errors)\\b`, 'gi')
const NO_TESTS = /no tests (?:ran|found|collected)|collected 0 items|ran 0 tests|(?<![\d.,])0 passing|running 0 tests/i

/**
 * The result of one verification run (system.md §4.4 (2)). `decisive`: the step's outcome is this run's own exit
 * status.
 */
export function runResult(output: string | null, outcome: Outcome, decisive: boolean): RunOutcome {
  const text = plain(output)
  const passes = counts(text, PASSED_BEFORE, TAP_PASS)
  const failures = counts(text, FAILED_BEFORE, TAP_FAIL)
  const told = { passedCount: lastOf(passes), failedCount: lastOf(failures) }
  if (decisive && outcome === 'failure') return { result: 'failed', why: 'its exit status: failed', ...told }
  if (decisive && outcome === 'success') {
    const empty = NO_TESTS.exec(text)
    if (empty && !passes.some((count) => count > 0) && !/^[ \t]*ok \d/im.test(text)) {
      return { result: 'unclear', why: `it succeeded, but its output says "${quote(empty[0])}"`, ...told }
    }
    return { result: 'passed', why: 'its exit status: succeeded', ...told }
  }
  const reason = decisive ? 'the outcome of the step is unknown' : 'the exit status of the step is not its own'
  const failure = reportedFailure(text)
  if (failure !== null) return { result: 'failed', why: `${reason}; its output says "${quote(failure)}"`, ...told }
  const pass = reportedPass(text)
  if (pass !== null) return { result: 'passed', why: `${reason}; its output says "${quote(pass)}"`, ...told }
  return { result: 'unclear', why: `${reason}, and its output reports neither passes nor failures`, ...told }
}

const plain = (output: string | null): string => {
  if (output === null) return ''
  const text = output.includes('\u001B') ? stripVTControlCharacters(output) : output
  return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
}

const toNumber = (digits: string): number => Number(digits.replaceAll(',', ''))

function counts(text: string, ...patterns: RegExp[]): number[] {
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => toNumber(match[1]!)))
}

const lastOf = (values: readonly number[]): number | null => values.at(-1) ?? null

/** The words that report a failure, null when there are none. */
function reportedFailure(text: string): string | null {
  return firstCounted(text, isSome, FAILED_BEFORE, FAILED_AFTER, TAP_FAIL) ?? firstMatch(text, FAILURE_WORDS)
}

function reportedPass(text: string): string | null {
  return firstCounted(text, isSome, PASSED_BEFORE, TAP_PASS) ?? firstMatch(text, PASS_WORDS) ?? firstCounted(text, isNone, NO_FAILURES)
}

const isSome = (count: number): boolean => count > 0
const isNone = (count: number): boolean => count === 0

function firstCounted(text: string, wanted: (count: number) => boolean, ...patterns: RegExp[]): string | null {
  for (const pattern of patterns) {
    for (const match of text.matchAll(pattern)) if (wanted(toNumber(match[1]!))) return match[0]
  }
  return null
}

function firstMatch(text: string, patterns: readonly RegExp[]): string | null {
  for (const pattern of patterns) {
    const match = pattern.exec(text)
    if (match) return match[0]
  }
  return null
}

const QUOTE_CHARS = 80
const quote = (words: string): string => {
  const line = words.trim().replace(/\s+/g, ' ')
  return line.length > QUOTE_CHARS ? `${line.slice(0, QUOTE_CHARS)}…` : line
}
