import path from 'node:path'
import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { shellWord } from '#server/adapters/tools/shell-words.ts'
import { ciChecks } from './ci-files.ts'
import type { ProjectFacts } from './facts.ts'
import type { PlannedCheck } from './runners.ts'
import { runnerCommandOf } from './script.ts'

/** What a project has to check. */
export interface FoundChecks {
  /** The most reliable check, with all others that are of its kind; empty if none was found. */
  run: PlannedCheck[]
  others: PlannedCheck[]
}

/** How many folders deep projects are looked for. */
const MAX_DEPTH = 2
const MAX_PROJECTS = 40
/** Each of their modules or packages is tested alone. */
const SEPARATE: ReadonlySet<CheckRunner> = new Set(['go', 'cargo'])

/** Finds the checks of a project and of projects in its folders. Only reads files; a missing program is noticed when the check runs. */
export async function detect(facts: ProjectFacts): Promise<FoundChecks> {
  const folders = projectFolders(facts.files)
  const own = (await all([verifyScript, packageScript, python, bats, go, cargo, makefile], { ...facts, inner: folders })).map(inFolder(''))
  const inner = await Promise.all(
    folders.map(async (folder) => {
      const found = await all([packageScript, python, go, cargo, makefile], factsOf(facts, folder, folders))
      return found.slice(0, 1).map(inFolder(folder))
    }),
  )
  const nested = inner.flat().filter((one) => !own.some((root) => covers(root, one)))
  const isFound = ({ command }: Pick<FoundCheck, 'command'>) =>
    own.some((one) => one.command === command.replace(/^npm (?:t|run test)$/, 'npm test'))
  const ofServices = (await ciChecks(facts))
    .filter((one) => !isFound(one))
    .map((one) => ({ ...one, folder: '', script: null, runsFolders: false }))
  const [first, ...rest] = own
  if (first === undefined && nested.length > 0) return { run: nested, others: ofServices }
  if (first === undefined) return { run: ofServices.slice(0, 1), others: ofServices.slice(1) }
  const isOfKind = ({ runner }: PlannedCheck) => SEPARATE.has(runner) && runner === first.runner
  return { run: [first, ...nested.filter(isOfKind)], others: [...rest, ...nested.filter((one) => !isOfKind(one)), ...ofServices] }
}

/** The facts about one folder of a project. `inner`: folders in it that are projects of their own. */
interface FolderFacts extends ProjectFacts {
  inner: readonly string[]
}
type Found = Omit<PlannedCheck, 'folder' | 'script' | 'runsFolders'> & Partial<Pick<PlannedCheck, 'script' | 'runsFolders'>>
type Find = (facts: FolderFacts) => Promise<Found | null>

const all = async (finders: readonly Find[], facts: FolderFacts): Promise<Found[]> =>
  (await Promise.all(finders.map((find) => find(facts)))).filter((one) => one !== null)

const inFolder =
  (folder: string) =>
  ({ because, ...found }: Found): PlannedCheck => ({ script: null, runsFolders: false, ...found, folder, because: below(folder, because) })

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

function factsOf({ files, read }: ProjectFacts, folder: string, folders: readonly string[]): FolderFacts {
  const inside = (names: readonly string[]) =>
    names.flatMap((name) => (name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : []))
  return { files: inside(files), inner: inside(folders), read: (name) => read(`${folder}/${name}`) }
}

const MANIFESTS = new Set(['package.json', 'pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'pytest.ini', 'go.mod', 'Cargo.toml'])
/** What is in them is an input of tests, or an example. */
const NO_PROJECTS =
  /(?:^|\/)(?:tests?|__tests__|spec|fixtures?|testdata|examples?|samples?|templates?|third[-_]party|bench(?:es|marks?)?|docs?)(?:\/|$)/

function projectFolders(files: readonly string[]): string[] {
  const folders = new Set<string>()
  for (const name of files) {
    const parts = name.split('/')
    const folder = parts.slice(0, -1).join('/')
    if (parts.length > 1 && parts.length <= MAX_DEPTH + 1 && MANIFESTS.has(parts.at(-1)!) && !NO_PROJECTS.test(folder)) folders.add(folder)
  }
  return [...folders].toSorted().slice(0, MAX_PROJECTS)
}

/** Whether a check of the project also runs that of a folder, as far as one can tell. */
function covers(root: PlannedCheck, nested: PlannedCheck): boolean {
  if (root.runner === 'pytest' || root.runner === 'unittest') return nested.runner === 'pytest' || nested.runner === 'unittest'
  if (root.runner === 'cargo') return nested.runner === 'cargo' && root.command.includes('--workspace')
  if (root.because !== 'package.json' || nested.command !== 'npm test') return false
  if (root.runner === 'vitest' || root.runner === 'jest') return true // they look for tests below
  return root.runsFolders
}

const verifyScript: Find = async ({ files }) => {
  const file = files.find((name) => name === 'verify.sh') ?? files.find((name) => name === 'tests/verify.sh')
  return file === undefined ? null : { runner: 'verify.sh', command: `bash ${file}`, because: file }
}

/** A script that runs those of the packages in its folders. */
const OF_WORKSPACES = /\s(?:-ws?|--workspaces?(?:=\S+)?|-r|--recursive|--filter)\b|\b(?:turbo|nx|lerna|rush|wsrun|ultra|workspaces?)\b/

const packageScript: Find = async ({ read }) => {
  const scripts = scriptsOf(await read('package.json'))
  const text = scripts['test']
  if (typeof text !== 'string' || text.trim() === '' || PLACEHOLDER.test(text)) return null
  // the project's own shell would run another text than ours
  const script = /^\s*script-shell\s*=/m.test((await read('.npmrc')) ?? '') ? null : runnerCommandOf(scripts, 'test')
  return { runner: script?.runner ?? 'npm', command: 'npm test', because: 'package.json', script, runsFolders: OF_WORKSPACES.test(text) }
}

/** npm puts a script that always fails into every new package. */
const PLACEHOLDER = /no test specified/

function scriptsOf(text: string | null): Record<string, unknown> {
  const scripts = (jsonOf(text ?? 'null') as { scripts?: unknown } | null | undefined)?.scripts
  return typeof scripts === 'object' && scripts !== null ? { ...scripts } : {}
}

/** How many tests are read to find out how they run. */
const MAX_READ = 200
const PYTEST_FILES = ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py']
const PYTEST_SECTIONS: [string, RegExp][] = [
  ['pyproject.toml', /^\[tool\.pytest\b/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /^\[pytest\]/m],
]
const PYTHON_FILES = ['pyproject.toml', 'setup.py', 'setup.cfg', 'tox.ini', 'pytest.ini']
const PYTHON_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/
/** Not of its parts for other runners, such as its mocks. */
const USES_UNITTEST = /^\s*(?:import unittest\b(?!\.)|from unittest\b(?!\.mock)[\w.]*\s+import\s+(?!mock\b))/m
const USES_PYTEST = /^\s*(?:import pytest\b|from pytest\b)/m
const HAS_CASES = /^\s*class\s+\w+\s*\([^)]*TestCase/m
/** A test outside a class, which only pytest finds. */
const PYTEST_FUNCTION = /^(?:async )?def test(?!_suite\b)/m

const python: Find = async ({ files, inner, read }) => {
  const pytest = (because: string): Found => ({ runner: 'pytest', command: 'python3 -m pytest', because })
  const sections = await Promise.all(PYTEST_SECTIONS.map(async ([name, section]) => (section.test((await read(name)) ?? '') ? [name] : [])))
  const config = PYTEST_FILES.find((name) => files.includes(name)) ?? sections.flat()[0]
  if (config !== undefined) return pytest(config)
  // without a manifest of its own, tests of projects in folders are theirs
  const isTheirs = (name: string) => !files.some((one) => PYTHON_FILES.includes(one)) && inner.some((folder) => isPythonProject(files, folder) && name.startsWith(`${folder}/`)) // prettier-ignore
  const tests = files.filter((name) => PYTHON_TEST.test(name) && !isTheirs(name)).slice(0, MAX_READ)
  if (tests.length === 0) return null
  const texts = await Promise.all(tests.map(async (name) => ({ name, text: (await read(name)) ?? '' })))
  const cases = texts.find(({ text }) => USES_UNITTEST.test(text) || HAS_CASES.test(text))
  if (cases === undefined || texts.some(({ text }) => USES_PYTEST.test(text) || PYTEST_FUNCTION.test(text))) return pytest(tests[0]!)
  return { runner: 'unittest', command: 'python3 -m unittest discover', because: cases.name }
}

const isPythonProject = (files: readonly string[], folder: string) => PYTHON_FILES.some((name) => files.includes(`${folder}/${name}`))

/** Programs and helpers of Bats that a project brings along have tests of their own. */
const BATS_HELPERS = /(?:^|\/)bats-(?:core|support|assert|file|detik|mock)\//
const BATS_PROGRAM = /^(.+)\/bin\/bats$/

const bats: Find = async ({ files }) => {
  const program = files.find((name) => BATS_PROGRAM.test(name))
  const ownFolder = program === undefined ? null : `${BATS_PROGRAM.exec(program)![1]!}/`
  const tests = files.filter(
    (name) => name.endsWith('.bats') && !BATS_HELPERS.test(name) && (ownFolder === null || !name.startsWith(ownFolder)),
  )
  if (tests.length === 0) return null
  const folders = [...new Set(tests.map((name) => path.posix.dirname(name)))]
  return { runner: 'bats', command: [program ?? 'bats', ...folders].map(shellWord).join(' '), because: tests[0]! }
}

const go: Find = async ({ files, inner }) => {
  const isTheirs = (name: string) => inner.some((folder) => files.includes(`${folder}/go.mod`) && name.startsWith(`${folder}/`))
  return files.includes('go.mod') && files.some((name) => name.endsWith('_test.go') && !isTheirs(name))
    ? { runner: 'go', command: 'go test ./...', because: 'go.mod' }
    : null
}

const cargo: Find = async ({ files, read }) => {
  if (!files.includes('Cargo.toml')) return null
  const isWorkspace = /^\[workspace\b/m.test((await read('Cargo.toml')) ?? '')
  return { runner: 'cargo', command: isWorkspace ? 'cargo test --workspace' : 'cargo test', because: 'Cargo.toml' }
}

/** Whether a rule of a Makefile makes `test`. */
const makesTest = (text: string): boolean =>
  text.split('\n').some((line) => {
    const end = line.indexOf(':')
    return end > 0 && !/^[\s#]/.test(line) && line[end + 1] !== '=' && line.slice(0, end).split(/\s+/).includes('test')
  })

const makefile: Find = async ({ files, read }) => {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => files.includes(name))
  return file !== undefined && makesTest((await read(file)) ?? '') ? { runner: 'make', command: 'make test', because: file } : null
}
