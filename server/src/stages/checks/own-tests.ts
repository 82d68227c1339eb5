/** The files that are tests by their names, and which of them a report says were run: whatever a runner's own configuration leaves out. */
import path from 'node:path'
import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import type { Report } from './reports/report.ts'

/** Inputs of tests, and what no runner takes as a test. */
const INPUTS = /(?:^|\/)(?:fixtures?|__fixtures__|testdata|__mocks__|__snapshots__|third[-_]party)\/|\.d\.[cm]?ts$/
const SCRIPT = /\.(?:test|spec)\.[cm]?[jt]sx?$/
const NODE = /(?:[.-]test|_test)\.[cm]?[jt]s$/
const PYTHON = /(?:^|\/)(?:test_[^/]*|[^/]*_test)\.py$/

/** Runners whose reports say in which files their tests are. */
const NAMES: Partial<Record<CheckRunner, RegExp>> = {
  jest: SCRIPT,
  vitest: SCRIPT,
  node: NODE,
  pytest: PYTHON,
  unittest: PYTHON,
  go: /_test\.go$/,
}

/** Other runners of scripts, whose tests another runner may take. */
const OTHERS: Partial<Record<CheckRunner, RegExp>> = {
  npm: new RegExp(`${SCRIPT.source}|${NODE.source}`),
  mocha: new RegExp(`${SCRIPT.source}|${NODE.source}`),
}

export const canTellFiles = (runner: CheckRunner): boolean => NAMES[runner] !== undefined

/** Tests of a runner among files, by their names. */
export const testsNamed = (runner: CheckRunner, files: readonly string[]): string[] =>
  files.filter((name) => (NAMES[runner] ?? OTHERS[runner])?.test(name) === true && !INPUTS.test(name))

const moduleOf = (file: string) => file.replace(/\.py$/, '').replaceAll('/', '.')

/** Whether a report has tests of a file, whose path is that in the project. */
export function wasRun(file: string, { runner, folder }: Pick<FoundCheck, 'runner' | 'folder'>, { places = [], tests }: Report): boolean {
  const inside = folder === '' ? file : path.posix.relative(folder, file)
  if (runner === 'go') {
    const inFolder = path.posix.dirname(inside)
    return places.some((place) => inFolder === '.' || place.endsWith(`/${inFolder}`))
  }
  const module = moduleOf(inside)
  const isPath = (place: string) => place === inside || place.endsWith(`/${file}`) || path.posix.join(folder, place) === file
  if (places.some((place) => isPath(place) || (runner === 'pytest' && (place === module || place.startsWith(`${module}.`))))) return true
  // a file that could not be loaded is a test with its name
  return tests.some(({ name }) => name === module || name === inside || name.endsWith(`.${module}`) || name.endsWith(`/${inside}`))
}

const MAX_GROUPS = 20

/** The tests of a check that its report does not have, by folders. */
export function notRunBy({ tests, ...check }: FoundCheck & { tests: readonly string[] }, report: Report): FoundCheck[] {
  if (report.places === undefined || !canTellFiles(check.runner)) return []
  const left = Map.groupBy(
    tests.filter((file) => !wasRun(file, check, report)),
    (file) => path.posix.dirname(file),
  )
  return [...left].slice(0, MAX_GROUPS).map(([, [first, ...more]]) => ({
    runner: check.runner,
    command: commandFor(check, first!),
    because: first!,
    folder: check.folder,
    reason: `${more.length === 0 ? 'it is' : `it and ${more.length} more in its folder are`} not among the tests that ${check.command} ran`,
  }))
}

function commandFor({ runner, command, folder }: FoundCheck, file: string): string {
  const inside = folder === '' ? file : path.posix.relative(folder, file)
  if (runner === 'jest' || runner === 'vitest') return `npx ${runner}${runner === 'vitest' ? ' run' : ''} ${inside}`
  if (runner === 'node') return `node --test ${inside}`
  if (runner === 'pytest') return `python3 -m pytest ${inside}`
  if (runner === 'unittest') return `python3 -m unittest ${inside}`
  return runner === 'go' ? `go test ./${path.posix.dirname(inside)}` : command
}
