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
}

/** Runners that name only the ends of paths, or in some versions none: enough to list what was left out. */
const IN_PART: Partial<Record<CheckRunner, RegExp>> = {
  mocha: new RegExp(`${SCRIPT.source}|${NODE.source}`),
  bats: /\.bats$/,
  cargo: /(?:^|\/)tests\/(?:[^/]+|[^/]+\/main)\.rs$/,
}

export const canTellFiles = (runner: CheckRunner): boolean => NAMES[runner] !== undefined

/** Programs and helpers of Bats that a project brings along have tests of their own. */
const BATS_HELPERS = /(?:^|\/)bats-(?:core|support|assert|file|detik|mock)\//
const BATS_PROGRAM = /^(.+)\/bin\/bats$/
export const batsProgramIn = (files: readonly string[]): string | undefined => files.find((name) => BATS_PROGRAM.test(name))

/** Tests of a runner among files, by their names. */
export function testsNamed(runner: CheckRunner, files: readonly string[]): string[] {
  const names = NAMES[runner] ?? OTHERS[runner] ?? IN_PART[runner]
  const program = runner === 'bats' ? batsProgramIn(files) : undefined
  const ownFolder = program === undefined ? null : `${BATS_PROGRAM.exec(program)![1]!}/`
  const isHelper = (name: string) => BATS_HELPERS.test(name) || (ownFolder !== null && name.startsWith(ownFolder))
  return files.filter((name) => names?.test(name) === true && !INPUTS.test(name) && !(runner === 'bats' && isHelper(name)))
}

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
  const { places } = report
  const isInPart = IN_PART[check.runner] !== undefined
  if (!canTellFiles(check.runner) && !isInPart) return []
  if (places === undefined)
    return isInPart && tests.length > 0 && report.tests.length > 0 ? [{ ...foundOf(check), because: tests[0]!, reason: unnamedReason(check.runner, tests.length) }] : [] // prettier-ignore
  const mayBe = (file: string) => places.some((place) => place === file || file.endsWith(`/${place}`) || place.endsWith(`/${file}`))
  const left = Map.groupBy(
    tests.filter((file) => !(isInPart ? mayBe(file) : wasRun(file, check, report))),
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

const foundOf = ({ runner, command, because, folder, reason }: FoundCheck): FoundCheck => ({ runner, command, because, folder, reason })

const unnamedReason = (runner: CheckRunner, count: number): string =>
  `${runner} does not say in which files its tests are, so it is not known whether ${count === 1 ? 'this file with tests was' : `all ${count} files with tests were`} run`

function commandFor({ runner, command, folder }: FoundCheck, file: string): string {
  const inside = folder === '' ? file : path.posix.relative(folder, file)
  if (runner === 'jest' || runner === 'vitest') return `npx ${runner}${runner === 'vitest' ? ' run' : ''} ${inside}`
  if (runner === 'node') return `node --test ${inside}`
  if (runner === 'pytest') return `python3 -m pytest ${inside}`
  if (runner === 'mocha') return `npx mocha ${inside}`
  if (runner === 'bats') return `bats ${inside}`
  if (runner === 'cargo') return `cargo test --test ${/tests\/([^/]+?)(?:\.rs|\/main\.rs)$/.exec(inside)?.[1] ?? ''}`
  if (runner === 'unittest') return `python3 -m unittest ${inside}`
  return runner === 'go' ? `go test ./${path.posix.dirname(inside)}` : command
}
