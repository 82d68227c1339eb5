import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { cargoReport } from './reports/cargo.ts'
import { goReport } from './reports/go.ts'
import { jestReport } from './reports/jest.ts'
import { junitReport } from './reports/junit.ts'
import { PYTHON_DRIVER } from './python-driver.ts'
import { pythonReport } from './reports/python.ts'
import type { Report } from './reports/report.ts'

/** How a runner is made to write what its tests did, and how that is read. */
export interface ReportedRun {
  /** For the shell. */
  command: string
  env: Record<string, string>
  /** Reads the report; null if the text is no whole one. */
  read: (text: string) => Report | null
  /** `file`: in the file that was named; `output`: in what the command printed. */
  from: 'file' | 'output'
  /** Exit codes that mean that there was nothing to run. */
  nothing: readonly number[]
  /** Given to it; nothing if it is left out. */
  stdin?: string
}

/** Where a run reports. */
export interface ReportPlace {
  file: string
  /** Begins the report in the output; only the runner receives it. */
  mark: string
  isGuarded: boolean
}

type Make = (command: string, place: ReportPlace) => ReportedRun

const junit =
  (options: (file: string) => string, more: Partial<ReportedRun> = {}): Make =>
  (command, { file }) => ({ command: `${command} ${options(file)}`, env: {}, read: junitReport, from: 'file', nothing: [], ...more })

/** The failing control test must not end the run. */
const whole = (option: string, { isGuarded }: ReportPlace) => (isGuarded ? ` ${option}` : '')

const ofPython = (kind: 'pytest' | 'unittest', args: string, { mark }: ReportPlace): ReportedRun => ({
  command: `${inVenv('python3')} -I ${PYTHON_DRIVER} ${kind} ${args}`.trim(),
  env: {},
  read: (text) => pythonReport(text, mark),
  from: 'output',
  nothing: [],
  stdin: `${mark}\n`,
})

/** npm passes on the arguments after `--`. */
const behind = (command: string) => (/^npm (?:run \S+|test|t)$/.test(command) ? `${command} --silent --` : command)

const RUNNERS: Partial<Record<CheckRunner, Make>> = {
  pytest: (command, place) =>
    place.isGuarded
      ? ofPython('pytest', `${command.replace(PYTEST, '')} -p no:cacheprovider --maxfail=0 --continue-on-collection-errors`, place)
      : junit((file) => `-q -p no:cacheprovider --junitxml=${file}`, { nothing: [5] })(inVenv(command), place),
  unittest: (_, place) => ofPython('unittest', '', place),
  vitest: (command, place) =>
    junit((file) => `--run --reporter=junit --outputFile=${file}${whole('--bail=0', place)}`)(behind(command), place),
  mocha: (command, place) =>
    junit((file) => `--reporter xunit --reporter-option output=${file}${whole('--no-bail', place)}`)(behind(command), place),
  node: (command, { file }) => ({
    command,
    env: { NODE_OPTIONS: `--test-reporter=junit --test-reporter-destination=${file}` },
    read: junitReport,
    from: 'file',
    nothing: [],
  }),
  jest: (command, place) => ({
    command: `${behind(command)} --json --outputFile=${place.file}${whole('--bail=0', place)}`,
    env: {},
    read: jestReport,
    from: 'file',
    nothing: [],
  }),
  bats: (command, { file }) => ({
    command: `${command.replace(/^bats/, 'bats --report-formatter junit --output "$(dirname REPORT)"')}; code=$?; mv "$(dirname REPORT)/report.xml" REPORT 2>/dev/null; exit $code`.replaceAll('REPORT', file), // prettier-ignore
    env: {},
    read: junitReport,
    from: 'file',
    nothing: [],
  }),
  go: (command) => ({ command: command.replace(/^go test/, 'go test -json'), env: {}, read: goReport, from: 'output', nothing: [] }),
  cargo: (command) => ({ command, env: {}, read: cargoReport, from: 'output', nothing: [] }),
}

const inVenv = (command: string) => command.replace(/^python3\b/, '"$(ls .venv/bin/python venv/bin/python 2>/dev/null | head -n 1 | grep . || command -v python3)"') // prettier-ignore

/** Null: the runner only has an exit code. */
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

/** The runner of a given command. A list of commands stays as it is, because added arguments would reach only its last command. */
export function runnerOf(command: string): CheckRunner {
  if (/[\n;&|<>`$()]/.test(command)) return 'command'
  return KNOWN.find(([, sign]) => sign.test(command.trim()))?.[0] ?? 'command'
}
