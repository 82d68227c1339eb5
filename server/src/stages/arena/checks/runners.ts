import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { cargoReport } from './reports/cargo.ts'
import { goReport } from './reports/go.ts'
import { jestReport } from './reports/jest.ts'
import { junitReport } from './reports/junit.ts'
import { pythonReport } from './reports/python.ts'
import type { Report } from './reports/report.ts'

/** How a runner is started so that it writes a report, and how the report is read. */
export interface ReportedRun {
  /** The shell command. */
  command: string
  env: Record<string, string>
  /** Reads the report; null if it is incomplete. */
  read: (text: string) => Report | null
  /** Where the report is: in the file or in the output of the command. */
  from: 'file' | 'output'
  /** Exit codes that mean that there were no tests. */
  emptyExitCodes: readonly number[]
  stdin?: string
}

/** Where a runner writes its report. */
export interface ReportPlace {
  file: string
  /** The text before the report in the output; only the runner receives it. */
  mark: string
  /** The program that runs Python tests. */
  driver: string
  isGuarded: boolean
}

type Make = (command: string, place: ReportPlace) => ReportedRun

const junit =
  (options: (file: string) => string, more: Partial<ReportedRun> = {}): Make =>
  (command, { file }) => ({ command: `${command} ${options(file)}`, env: {}, read: junitReport, from: 'file', emptyExitCodes: [], ...more })

/** A failing control test must not end the run. */
const whenGuarded = (option: string, { isGuarded }: ReportPlace) => (isGuarded ? ` ${option}` : '')

const pythonRun = (kind: 'pytest' | 'unittest', args: string, { mark, driver }: ReportPlace): ReportedRun => ({
  command: `${inVenv('python3')} -I ${driver} ${kind} ${args}`.trim(),
  env: {},
  read: (text) => pythonReport(text, mark),
  from: 'output',
  emptyExitCodes: [],
  stdin: `${mark}\n`,
})

/** Prepares a command for added arguments: npm passes on only those after `--`. */
const withArguments = (command: string) => (/^npm (?:run \S+|test|t)$/.test(command) ? `${command} --silent --` : command)

const RUNNERS: Partial<Record<CheckRunner, Make>> = {
  pytest: (command, place) =>
    place.isGuarded
      ? pythonRun('pytest', `${command.replace(PYTEST, '')} -p no:cacheprovider --maxfail=0 --continue-on-collection-errors`, place)
      : junit((file) => `-q -p no:cacheprovider --junitxml=${file}`, { emptyExitCodes: [5] })(inVenv(command), place),
  unittest: (_, place) => pythonRun('unittest', '', place),
  vitest: (command, place) =>
    junit((file) => `--run --reporter=junit --outputFile=${file}${whenGuarded('--bail=0', place)}`)(withArguments(command), place),
  mocha: (command, place) =>
    junit((file) => `--reporter xunit --reporter-option output=${file}${whenGuarded('--no-bail', place)}`)(withArguments(command), place),
  node: (command, { file }) => ({
    command,
    env: { NODE_OPTIONS: `--test-reporter=junit --test-reporter-destination=${file}` },
    read: junitReport,
    from: 'file',
    emptyExitCodes: [],
  }),
  jest: (command, place) => ({
    command: `${withArguments(command)} --json --outputFile=${place.file}${whenGuarded('--bail=0', place)}`,
    env: {},
    read: jestReport,
    from: 'file',
    emptyExitCodes: [],
  }),
  bats: (command, { file }) => ({
    // as the formatter: a report by --report-formatter may be incomplete when Bats ends
    command: `${command.replace(/^bats/, 'bats --formatter junit')} >${file}`,
    env: {},
    read: junitReport,
    from: 'file',
    emptyExitCodes: [],
  }),
  go: (command, place) => ({
    command: command.replace(/^go test/, `go test -json${whenGuarded('-failfast=false', place)}`),
    env: {},
    read: goReport,
    from: 'output',
    emptyExitCodes: [],
  }),
  cargo: (command, place) => ({
    command: command.replace(/^cargo test/, `cargo test${whenGuarded('--no-fail-fast', place)}`),
    env: {},
    read: cargoReport,
    from: 'output',
    emptyExitCodes: [],
  }),
}

const inVenv = (command: string) => command.replace(/^python3\b/, '"$(ls .venv/bin/python venv/bin/python 2>/dev/null | head -n 1 | grep . || command -v python3)"') // prettier-ignore

/** A command as the project runs it, with the interpreter of its virtual environment. */
export const plainCommand = ({ command }: Pick<FoundCheck, 'command'>): string =>
  inVenv(command.replace(/^python\b|^(?=pytest\b)/, (found) => (found === '' ? 'python3 -m ' : 'python3')))

/** Null if the runner has only an exit code. */
export function reportedRun({ runner, command }: Pick<FoundCheck, 'runner' | 'command'>, place: ReportPlace): ReportedRun | null {
  return RUNNERS[runner]?.(command, place) ?? null
}

const PYTEST = /^(?:python3? -m )?pytest(?:\s|$)/
const KNOWN: [CheckRunner, RegExp][] = [
  ['pytest', PYTEST],
  ['go', /^go test(?:\s|$)/],
  ['cargo', /^cargo test(?:\s|$)/],
  ['bats', /^bats(?:\s|$)/],
]

/** The runner of a command. A list of commands counts as `command`, because added arguments would reach only the last one. */
export function runnerOf(command: string): CheckRunner {
  if (/[\n;&|<>`$()]/.test(command)) return 'command'
  return KNOWN.find(([, sign]) => sign.test(command.trim()))?.[0] ?? 'command'
}
