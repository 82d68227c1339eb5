import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { ENVIRONMENTS } from './facts.ts'
import { NODE_REPORTER } from './node-reporter.ts'
import { PYTHON_PROGRAM } from './python-driver.ts'
import { type RunnerCommand, type Rewriting, rewritten, scriptShell } from './script.ts'
import { cargoReport } from './reports/cargo.ts'
import { goReport } from './reports/go.ts'
import { jestReport } from './reports/jest.ts'
import { junitReport, mochaReport } from './reports/junit.ts'
import { nodeReport } from './reports/node.ts'
import { pythonReport } from './reports/python.ts'
import type { Report } from './reports/report.ts'

/** How a runner is started so that it writes a report, and how the report is read. */
export interface ReportedRun {
  /** The shell command. */
  command: string
  /** Reads the report; null if it is incomplete. Absent if the runner has only an exit code. */
  read?: (text: string) => Report | null
  /** Where the report is: in the file or in the output of the command. */
  from: 'file' | 'output'
  /** Whether a run ended as this runner ends without tests. */
  isEmpty: (exitCode: number, output: string) => boolean
  /** Whether the output says that the run ended before all tests. */
  isCut?: (output: string) => boolean
  /** Programs of ours that it needs. */
  programs: readonly { path: string; text: string; mode: number }[]
  stdin?: string
}

/** Where a runner writes its report. */
export interface ReportPlace {
  file: string
  /** The text before the report in the output; only the runner receives it. */
  mark: string
  /** The path of programs of ours, without an ending. */
  program: string
  isGuarded: boolean
}

/** A check with what is known about how it starts. */
export interface PlannedCheck extends FoundCheck {
  /** The command of the package's script that starts its runner; null if there is none, or another runner. */
  script: RunnerCommand | null
  /** Scripts of the package that npm runs before and after others. */
  hooks: readonly string[]
  /** Files that are its tests by their names, as paths in the project. */
  tests: readonly string[]
  /** Its tests whose failure its exit code does not show, as written. */
  silenced: readonly string[]
  /** It is not needed if the first check has run its tests. One that has a reason is then not run at all. */
  isSkippedIfRun: boolean
}

type Make = (check: PlannedCheck, place: ReportPlace) => ReportedRun

/** A failing control test must not end the run. */
const whenGuarded = (option: string, { isGuarded }: ReportPlace) => (isGuarded ? ` ${option}` : '')

const never = () => false
const inFile = { from: 'file', isEmpty: never, programs: [] } as const

const pythonRun = (kind: 'pytest' | 'unittest', args: string, folder: string, { mark, program }: ReportPlace): ReportedRun => ({
  command: `${inVenv('python3', folder)} -I ${program}.py ${kind} ${args}`.trim(),
  read: (text) => pythonReport(text, mark),
  from: 'output',
  isEmpty: (exitCode) => exitCode === NO_PYTHON_TESTS,
  isCut: (output) => PYTEST_EXIT.test(output),
  programs: [{ path: `${program}.py`, text: PYTHON_PROGRAM, mode: 0o444 }],
  stdin: `${mark}\n`,
})

/**
 * A script of a package whose runner also reports. npm runs the changed text through a shell of ours: only the runner itself gets
 * the added options, no program that it starts.
 */
function npmRun(
  { command, script }: PlannedCheck,
  { program, file }: ReportPlace,
  rewriting: Rewriting,
  more: Partial<ReportedRun> & Pick<ReportedRun, 'read'>,
): ReportedRun {
  const shell = `${program}.sh`
  const text = scriptShell(script === null ? null : { text: script.text, instead: rewritten(script, rewriting) }, failedScriptsIn(file))
  const programs = [{ path: shell, text, mode: 0o555 }, ...(more.programs ?? [])]
  return { ...inFile, ...more, command: `${command} --silent --script-shell=${shell}`, programs }
}

/** Where a shell of ours lists scripts that failed. */
export const failedScriptsIn = (file: string): string => `${file}.scripts`

/** `pytest.exit` ends a run with any exit code, and the test that called it counts as passed. */
const PYTEST_EXIT = /^!{3,} (?:_pytest\.outcomes\.)?Exit: /m
/** make says this alone if it ran nothing: a target without a rule, or a folder of this name. */
const MAKE_NOTHING = /^make: (?:Nothing to be done for '[^'\n]*'\.|'[^'\n]*' is up to date\.)$/
export const ranNothing = ({ runner }: Pick<PlannedCheck, 'runner'>, output: string): boolean =>
  runner === 'make' && MAKE_NOTHING.test(output.trim())

/** The text with which a runner says that there are no tests, since its exit code does not. */
const saying = (text: RegExp) => (exitCode: number, output: string) => exitCode === 1 && text.test(output)

const RUNNERS: Partial<Record<CheckRunner, Make>> = {
  pytest: ({ command, folder }, place) =>
    place.isGuarded
      ? pythonRun('pytest', `${command.replace(PYTEST, '')} --maxfail=0 --continue-on-collection-errors`, folder, place)
      : {
          ...inFile,
          command: `${plainCommand({ command, folder })} --junitxml=${place.file}`,
          read: junitReport,
          isEmpty: (exitCode) => exitCode === NO_PYTHON_TESTS,
          isCut: (output) => PYTEST_EXIT.test(output),
        },
  unittest: ({ folder }, place) => pythonRun('unittest', '', folder, place),
  vitest: (check, place) =>
    npmRun(
      check,
      place,
      {
        drop: { flags: ['--run', '--watch', '-w', '--no-watch', 'watch', 'dev', '--ui'], values: ['--reporter', '--outputFile', '--bail'] },
        add: {
          text: `--run --reporter=default --reporter=junit --outputFile.junit=${place.file}${whenGuarded('--bail=0', place)}`,
          place: 'last',
        },
      },
      { read: junitReport, isEmpty: saying(/No test files found/) },
    ),
  mocha: (check, place) =>
    npmRun(
      check,
      place,
      {
        drop: { flags: ['--bail', '-b', '--watch', '-w'], values: ['--reporter', '-R', '--reporter-option', '--reporter-options', '-O'] },
        add: { text: `--reporter xunit --reporter-option output=${place.file}${whenGuarded('--no-bail', place)}`, place: 'last' },
      },
      { read: mochaReport, isEmpty: saying(/No test files found/) },
    ),
  node: (check, place) =>
    npmRun(
      check,
      place,
      {
        drop: { flags: ['--watch'], values: ['--test-reporter', '--test-reporter-destination'] },
        add: { text: `--test-reporter=${place.program}.mjs --test-reporter-destination=${place.file}`, place: 'first' },
      },
      { read: nodeReport, programs: [{ path: `${place.program}.mjs`, text: NODE_REPORTER, mode: 0o444 }] },
    ),
  jest: (check, place) =>
    npmRun(
      check,
      place,
      {
        drop: { flags: ['--json', '--bail', '-b', '--watch', '--watchAll'], values: ['--outputFile'] },
        add: { text: `--json --outputFile=${place.file}${whenGuarded('--bail=0', place)}`, place: 'last' },
      },
      { read: jestReport, isEmpty: saying(/No tests found, exiting with code 1/) },
    ),
  npm: ({ command, hooks }, { program, file }) => {
    if (hooks.length === 0) return { ...inFile, command, isEmpty: never }
    const shell = `${program}.sh`
    const programs = [{ path: shell, text: scriptShell(null, failedScriptsIn(file)), mode: 0o555 }]
    return { ...inFile, command: `${command} --script-shell=${shell}`, programs }
  },
  bats: (check, place) => {
    // as the formatter: a report by --report-formatter may be incomplete when Bats ends
    const add = '--formatter junit'
    if (check.script === null)
      return {
        ...inFile,
        command: `${check.command.replace(BATS, (bats) => `${bats.trimEnd()} ${add} `)} >${place.file}`,
        read: junitReport,
      }
    const drop = { flags: ['--tap', '-t', '--pretty', '-p'], values: ['--formatter', '-F', '--report-formatter'] }
    return npmRun(check, place, { drop, add: { text: add, place: 'first' }, redirection: `>${place.file}` }, { read: junitReport })
  },
  go: ({ command }, place) => ({
    ...inFile,
    command: command.replace(/^go test/, `go test -json${whenGuarded('-failfast=false', place)}`),
    read: goReport,
    from: 'output',
  }),
  cargo: ({ command }, place) => ({
    ...inFile,
    command: command.replace(/^cargo test/, `cargo test${whenGuarded('--no-fail-fast', place)}`),
    read: cargoReport,
    from: 'output',
  }),
}

const NO_PYTHON_TESTS = 5
/** The interpreter of the virtual environment of a folder or of one above it, in place of `python3`. */
function inVenv(command: string, folder: string): string {
  const depth = folder === '' ? 0 : folder.split('/').length
  const above = Array.from({ length: depth + 1 }, (_one, level) => '../'.repeat(level))
  // a folder may be called "env" without being one
  const interpreterIn = (up: string, name: string) => name === 'env' ? `$([ -f ${up}env/pyvenv.cfg ] && echo ${up}env/bin/python)` : `${up}${name}/bin/python` // prettier-ignore
  const places = above.flatMap((up) => ENVIRONMENTS.map((name) => interpreterIn(up, name)))
  return command.replace(/^python3\b/, `"$(ls ${places.join(' ')} 2>/dev/null | head -n 1 | grep . || command -v python3)"`)
}

/** A command as the project runs it, with the interpreter of its virtual environment. */
export const plainCommand = ({ command, folder }: Pick<FoundCheck, 'command' | 'folder'>): string =>
  inVenv(
    command.replace(/^python\b|^(?=pytest\b)/, (found) => (found === '' ? 'python3 -m ' : 'python3')),
    folder,
  )

/** Null if the runner has only an exit code. */
export const reportedRun = (check: PlannedCheck, place: ReportPlace): ReportedRun | null => RUNNERS[check.runner]?.(check, place) ?? null

/** What runners say about options that they do not know or that disagree. */
export const isOptionError = (output: string): boolean =>
  /unknown (?:option|argument)|unrecognized (?:option|argument)|bad option|Expected a single value for option|is not allowed in NODE_OPTIONS|Missing value for|must match the number of|Cannot find module '[^']*reporter/i.test(
    output,
  )

const BATS = /^(?:\S*\/)?bats(?:\s|$)/
const PYTEST = /^(?:python3? -m )?pytest(?:\s|$)/
const KNOWN: [CheckRunner, RegExp][] = [
  ['pytest', PYTEST],
  ['go', /^go test(?:\s|$)/],
  ['cargo', /^cargo test(?:\s|$)/],
  ['bats', BATS],
]

/** The runner of a command. A list of commands counts as `command`, because added arguments would reach only the last one. */
export function runnerOf(command: string): CheckRunner {
  if (/[\n;&|<>`$()]/.test(command)) return 'command'
  return KNOWN.find(([, sign]) => sign.test(command.trim()))?.[0] ?? 'command'
}
