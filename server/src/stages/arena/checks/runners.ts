import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { cargoReport } from './reports/cargo.ts'
import { goReport } from './reports/go.ts'
import { jestReport } from './reports/jest.ts'
import { junitReport } from './reports/junit.ts'
import type { Report } from './reports/report.ts'

/** How a runner is made to write what its tests did, and how that is read. */
export interface ReportedRun {
  /** For the shell. */
  command: string
  env: Record<string, string>
  /** Reads the report; null where the text is no whole one. */
  read: (text: string) => Report | null
  /** `file`: in the file that was named; `output`: in what the command printed. */
  from: 'file' | 'output'
  /** Exit codes by which the runner says that there was nothing to run. */
  nothing: readonly number[]
}

type Make = (command: string, file: string) => ReportedRun

const junit =
  (options: (file: string) => string, more: Partial<ReportedRun> = {}): Make =>
  (command, file) => ({ command: `${command} ${options(file)}`, env: {}, read: junitReport, from: 'file', nothing: [], ...more })

/** npm hands on what stands behind `--`. */
const behind = (command: string) => (/^npm (?:run \S+|test|t)$/.test(command) ? `${command} --silent --` : command)

const RUNNERS: Partial<Record<CheckRunner, Make>> = {
  pytest: (command, file) => junit((report) => `-q -p no:cacheprovider --junitxml=${report}`, { nothing: [5] })(inVenv(command), file),
  unittest: (command, file) => ({
    command: `${inVenv('python3')} ${UNITTEST_DRIVER} ${file}`,
    env: {},
    read: junitReport,
    from: 'file',
    nothing: [],
  }),
  vitest: (command, file) => junit((report) => `--run --reporter=junit --outputFile=${report}`)(behind(command), file),
  mocha: (command, file) => junit((report) => `--reporter xunit --reporter-option output=${report}`)(behind(command), file),
  node: (command, file) => ({
    command,
    env: { NODE_OPTIONS: `--test-reporter=junit --test-reporter-destination=${file}` },
    read: junitReport,
    from: 'file',
    nothing: [],
  }),
  jest: (command, file) => ({
    command: `${behind(command)} --json --outputFile=${file}`,
    env: {},
    read: jestReport,
    from: 'file',
    nothing: [],
  }),
  bats: (command, file) => ({
    command: `${command.replace(/^bats/, 'bats --report-formatter junit --output "$(dirname REPORT)"')}; code=$?; mv "$(dirname REPORT)/report.xml" REPORT 2>/dev/null; exit $code`.replaceAll('REPORT', file), // prettier-ignore
    env: {},
    read: junitReport,
    from: 'file',
    nothing: [],
  }),
  go: (command) => ({ command: command.replace(/^go test/, 'go test -json'), env: {}, read: goReport, from: 'output', nothing: [] }),
  cargo: (command) => ({ command, env: {}, read: cargoReport, from: 'output', nothing: [] }),
}

/** Where the program that runs `unittest` and writes a report is put. */
export const UNITTEST_DRIVER = '/tmp/bashgym-unittest.py'

const inVenv = (command: string) => command.replace(/^python3\b/, '"$(ls .venv/bin/python venv/bin/python 2>/dev/null | head -n 1 | grep . || command -v python3)"') // prettier-ignore

/** Null: the runner tells nothing but its exit code. */
export function reportedRun({ runner, command }: Pick<FoundCheck, 'runner' | 'command'>, file: string): ReportedRun | null {
  return RUNNERS[runner]?.(command, file) ?? null
}

const KNOWN: [CheckRunner, RegExp][] = [
  ['pytest', /^(?:python3? -m )?pytest(?:\s|$)/],
  ['go', /^go test(?:\s|$)/],
  ['cargo', /^cargo test(?:\s|$)/],
  ['bats', /^bats(?:\s|$)/],
]

/** What a command of the caller's runs. A list of commands is taken as it is: more words would reach only the last of them. */
export function runnerOf(command: string): CheckRunner {
  if (/[\n;&|<>`$()]/.test(command)) return 'command'
  return KNOWN.find(([, sign]) => sign.test(command.trim()))?.[0] ?? 'command'
}
