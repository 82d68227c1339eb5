/** What an output reports. Each text is quoted from the output; null if there is none. */
export interface Report {
  failure: string | null
  pass: string | null
  /** A count of passed tests above 0. */
  passCount: boolean
  nothingRan: string | null
  lastLine: string
  /** Non-empty lines. */
  lines: number
}

export const NO_REPORT: Report = { failure: null, pass: null, passCount: false, nothingRan: null, lastLine: '', lines: 0 }

/** Lines are read up to this length; no summary line is longer. */
export const LINE_CHARS = 500
/** Terminal sequences. Node's `stripVTControlCharacters` takes quadratic time on unterminated ones. */
const [ESC, BELL, CSI] = ['\u001B', '\u0007', '\u009B']
const ESCAPES = new RegExp(
  String.raw`${ESC}(?:\[[0-?]*[ -/]*[@-~]|\][^${BELL}${ESC}\n]*(?:${BELL}|${ESC}\\)|[()#][A-Z0-9]|[0-9=>@-Z\\^_a-z])|${CSI}[0-?]*[ -/]*[@-~]`,
  'g',
)
const REPORT_WORDS = /fail|error|pass|ok\b|succe|violation|offense|✓|✔|√|✅|not ok|100%/i
const MARKS = /^(?:[\s=\-#*✖×❌>|│┃]+|\[ERROR\]\s*|\[INFO\]\s*|npm (?:error|ERR!)\s*)+/

const PASSED_LINE = /^(?:[✓✔√✅]|ok \d|--- PASS|PASS\s+\S)|(?:\bPASSED|\.\.\. ok)\s{0,40}(?:\[[^\]]{0,40}\])?$/
const FAILURE_STARTS = [
  /^FAIL(?:ED)?(?![\w:=]|\s*[:=])/,
  /^--- FAIL/,
  /^not ok\b/,
  /^[#ℹ] fail [1-9]/,
  /^error\[E\w+\]/,
  /^error: (?:could not compile|test failed)/,
  /\berror (?:TS|CS|FS|MSB)\d+/,
  /^test result: FAILED/,
  /^BUILD FAIL(?:ED|URE)/,
  /^\*\* (?:TEST|BUILD) FAILED/,
  /^Result: FAIL/,
  /^# Failed test/,
  /^Failed \d+\/\d+ subtests/,
  /^The following tests FAILED/,
  /^\S+ FAILED in /,
  /^g?make(?:\[\d+\])?: \*\*\* .*Error \d+/,
  /^npm (?:error|ERR!) (?:Test failed|Lifecycle script)/,
  /^(?:\u2009)?ELIFECYCLE/,
  /^error Command failed with exit code \d/,
  /^Failed:\s+\S+#\S+/,
  /^\[ {2}FAILED {2}\]/,
  /^(?:some )?tests failed\b/i,
]
const PASS_STARTS = [
  /^ok\b/,
  /^OK\b/,
  /^PASS\b/,
  /^[#ℹ] pass [1-9]/,
  /^Result: PASS/,
  /^Success: no issues/,
  /^100% tests passed/,
  /^\[ {2}PASSED {2}\]/,
  /^test result: ok/,
  /^\*\* (?:TEST|BUILD) SUCCEEDED/,
  /\ball (?:\d+ )?(?:checks|tests) passed/i,
  /^build succeeded/i,
  /^BUILD SUCCESS/,
  /\bSuccessfully ran target/,
]
const NOTHING_RAN = new RegExp(
  [
    'no tests? (?:were )?(?:ran|run|found|collected|executed|to run|matched)',
    'no test files',
    'collected 0 items',
    '\\b(?:ran|running|executed) 0 tests',
    '(?<![\\d.,])0 passing',
    '(?<![\\d.,])0 examples',
    '^1\\.\\.0\\s*$',
    'tests are skipped',
    'nothing to be done for',
    'is up to date',
    'no projects matched',
    '0 successful, 0 total',
    'none of the selected packages has',
  ].join('|'),
  'im',
)

/** Reads what an output reports, ignoring colour codes; linear in its length. */
export function reportOf(output: string | null): Report {
  if (output === null || output === '') return NO_REPORT
  const colourless = output.replace(ESCAPES, '')
  const report: Report = { ...NO_REPORT }
  for (const fullLine of colourless.split(/\r\n?|\n/)) {
    const line = fullLine.length > LINE_CHARS ? fullLine.slice(0, LINE_CHARS) : fullLine
    const trimmed = line.trim()
    if (trimmed === '') continue
    report.lines++
    report.lastLine = trimmed
    if (REPORT_WORDS.test(trimmed)) readLine(trimmed, report)
  }
  const nothing = NOTHING_RAN.exec(colourless)
  report.nothingRan = nothing && !report.passCount ? quote(nothing[0]) : null
  return report
}

function readLine(line: string, report: Report): void {
  const counts = countsIn(line)
  if (PASSED_LINE.test(line)) {
    report.pass ??= quote(line)
    report.passCount ||= /^ok \d/.test(line) || counts.passes > 0
    return
  }
  const bare = line.replace(MARKS, '')
  const fails = counts.failures > 0 || FAILURE_STARTS.some((start) => start.test(bare) || start.test(line))
  const passes =
    counts.passes > 0 ||
    (counts.failures === 0 && counts.hasFailureCount) ||
    PASS_STARTS.some((start) => start.test(bare) || start.test(line))
  if (counts.passes > 0 || /^[#ℹ] pass [1-9]/.test(line)) report.passCount = true
  if (fails) report.failure ??= quote(line)
  else if (passes) report.pass ??= quote(line)
}

interface Counts {
  failures: number
  passes: number
  /** The line has a count of failures, possibly 0. */
  hasFailureCount: boolean
}

const LABELLED = /^(?:Test Files|Tests|Found|There (?:were|was)|Executed \d+ tests?, with|Summary|test result: \w+\.)\s+/i
const TAIL = String.raw`(?:\s+(?:in|out of|found|detected|generated|locally|total|after)\b.*|:(?!\s*\d).*)?[\s.!=\-]*`
const FAIL_PIECE = new RegExp(
  String.raw`^(\d+)(?: of \d+)?(?: [\w-]+){0,2}? (?:failed|failing|fails|failures?|errors?|errored|violations?|offenses?)${TAIL}$`,
  'i',
)
const PASS_PIECE = new RegExp(String.raw`^(\d+)(?: of \d+)?(?: [\w-]+){0,2}? (?:passed|passing|pass|succeeded|successful)${TAIL}$`, 'i')
const PAIR_LINE = /^(?:FAILED \(|Failed!\s*-?\s*|Passed!\s*-?\s*|OK \()?[A-Za-z]+(?: [a-z]+)?\s*[:=]\s*\d/
const PAIR = /\b([A-Za-z]+)\s*[:=]\s*(\d+)/g
const FAIL_WORD = /^(?:failures?|errors?|failed|failing)$/i
const PASS_WORD = /^(?:passed|passing|pass|succeeded|successful)$/i

/** The counts of a summary line: "2 failed, 3 passed", "Tests run: 4, Failures: 1". */
function countsIn(line: string): Counts {
  const counts: Counts = { failures: 0, passes: 0, hasFailureCount: false }
  const text = line.replace(MARKS, '').replace(/(\d),(\d{3})\b/g, '$1$2')
  const add = (word: 'fail' | 'pass', count: number) => {
    if (word === 'pass') counts.passes += count
    else {
      counts.failures += count
      counts.hasFailureCount = true
    }
  }
  if (PAIR_LINE.test(text)) {
    for (const [, word, number] of text.matchAll(PAIR)) {
      if (FAIL_WORD.test(word!)) add('fail', Number(number))
      else if (PASS_WORD.test(word!)) add('pass', Number(number))
    }
  }
  const pieces = withoutLabel(text)
  if (!/^\d/.test(pieces)) return counts
  for (const piece of pieces.split(/[,;|()·]| and /)) {
    const part = piece.trim()
    const failed = FAIL_PIECE.exec(part)
    const passed = failed ? null : PASS_PIECE.exec(part)
    if (failed) add('fail', Number(failed[1]))
    else if (passed) add('pass', Number(passed[1]))
  }
  return counts
}

/** Removes labels such as "Tests: " or "web:test: Tests: " from the start. */
function withoutLabel(text: string): string {
  let remainder = text
  for (let remaining = 4; remaining > 0 && !/^\d/.test(remainder); remaining--) {
    const knownLabel = LABELLED.exec(remainder)
    const label = knownLabel ?? /^[^:]{1,40}(?::[^:\s]{1,40}){0,3}:\s+/.exec(remainder)
    if (!label) break
    remainder = remainder.slice(label[0].length).replace(MARKS, '')
  }
  return remainder
}

/** Combines the reports of outputs that belong to one check, in order. */
export function joinReports(reports: readonly Report[]): Report {
  const first = (field: 'failure' | 'pass' | 'nothingRan') => reports.find((report) => report[field] !== null)?.[field] ?? null
  const passCount = reports.some((report) => report.passCount)
  return {
    failure: first('failure'),
    pass: first('pass'),
    passCount,
    nothingRan: passCount ? null : first('nothingRan'),
    lastLine: reports.findLast(({ lastLine }) => lastLine !== '')?.lastLine ?? '',
    lines: reports.reduce((sum, { lines }) => sum + lines, 0),
  }
}

const QUOTE_CHARS = 80
export const quote = (text: string): string => {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > QUOTE_CHARS ? `${line.slice(0, QUOTE_CHARS)}…` : line
}
