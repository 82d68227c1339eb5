import path from 'node:path'
import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { shellWord } from '#server/adapters/tools/shell-words.ts'
import { ciChecks } from './ci-files.ts'
import { isTestRule, silencedOf } from './exit-code.ts'
import type { ProjectFacts } from './facts.ts'
import { batsProgramIn, canTellFiles, testsNamed } from './own-tests.ts'
import { asideReason, isExcludedCrate, projectFolders, runsPackages } from './parts.ts'
import type { PlannedCheck } from './runners.ts'
import { runnerCommandOf } from './script.ts'

/** What a project has to check. */
export interface FoundChecks {
  /** The most reliable check, with all others that are of its kind; empty if none was found. */
  run: PlannedCheck[]
  others: PlannedCheck[]
}

/** How many projects in folders are run. */
const MAX_PARTS = 40
/** Each of their modules or packages is tested alone. */
const SEPARATE: ReadonlySet<CheckRunner> = new Set(['go', 'cargo'])

/** Finds the checks of a project and of projects in its folders. Only reads files; a missing program is noticed when the check runs. */
export async function detect(facts: ProjectFacts): Promise<FoundChecks> {
  const folders = projectFolders(facts.files)
  const own = await all([verifyScript, packageScript, python, bats, go, cargo, makefile], { ...facts, inner: folders }, '')
  const inner = await Promise.all(
    folders.map(async (folder) =>
      (await all([packageScript, python, go, cargo, makefile], factsOf(facts, folder, folders), folder)).slice(0, 1),
    ),
  )
  const parts = withOwnTests(own.slice(0, 1), inner.flat(), facts.files)
  const [first] = parts
  const { run, left } = first?.folder === '' ? await chosenParts(first, parts.slice(1), facts) : withoutAside(parts)
  const rest = [...own.slice(1), ...left]
  const isFound = ({ command }: Pick<FoundCheck, 'command'>) =>
    own.some((one) => one.command === command.replace(/^npm (?:t|run test)$/, 'npm test'))
  const ofServices = await Promise.all(
    (await ciChecks(facts)).filter((one) => !isFound(one)).map((one) => plannedOf({ ...one, folder: '', reason: null }, facts)),
  )
  return run.length > 0
    ? { run, others: [...rest, ...ofServices] }
    : { run: ofServices.slice(0, 1), others: [...rest, ...ofServices.slice(1)] }
}

/** A check without a script that is read, of a command of a caller or of a service. */
export const plannedOf = async (check: FoundCheck, facts: ProjectFacts): Promise<PlannedCheck> => ({
  ...check,
  script: null,
  hooks: [],
  tests: [],
  silenced: await silencedOf(check, facts),
  isSkippedIfRun: false,
})

/** Each test belongs to the lowest project that it is in. */
function withOwnTests(own: readonly PlannedCheck[], inner: readonly PlannedCheck[], files: readonly string[]): PlannedCheck[] {
  const isBelow = (name: string, folder: string) => folder === '' || name.startsWith(`${folder}/`)
  return [...own, ...inner].map((one) => {
    const isOfAnother = (name: string) => inner.some(({ folder }) => folder !== one.folder && isBelow(folder, one.folder) && isBelow(name, folder)) // prettier-ignore
    const named = testsNamed(one.runner, files.filter((name) => isBelow(name, one.folder))) // prettier-ignore
    return { ...one, tests: [...new Set([...named, ...one.tests])].filter((name) => !isOfAnother(name)) }
  })
}

interface Parts {
  run: PlannedCheck[]
  left: PlannedCheck[]
}

const leftOut = (check: PlannedCheck, reason: string | null): PlannedCheck => ({ ...check, reason })

/** Without a check of its own, a project is what is in its folders. */
function withoutAside(parts: readonly PlannedCheck[]): Parts {
  const reasonOf = ({ folder }: PlannedCheck) => asideReason(folder)
  const run = parts.filter((one) => reasonOf(one) === null)
  const aside = parts.filter((one) => reasonOf(one) !== null).map((one) => leftOut(one, reasonOf(one)))
  const more = run.slice(MAX_PARTS).map((one) => leftOut(one, TOO_MANY))
  return { run: run.slice(0, MAX_PARTS), left: [...aside, ...more] }
}
const TOO_MANY = `more than ${MAX_PARTS} projects were found`

/** The check of a project with those of the projects in its folders that are of its kind and that it does not run itself. */
async function chosenParts(first: PlannedCheck, nested: readonly PlannedCheck[], facts: ProjectFacts): Promise<Parts> {
  const runsPackage = await runsPackages(facts)
  const manifest = first.runner === 'cargo' ? ((await facts.read('Cargo.toml')) ?? '') : ''
  const isPython = ({ runner }: PlannedCheck) => runner === 'pytest' || runner === 'unittest'
  const { run, left }: Parts = { run: [first], left: [] }
  for (const part of nested) {
    const isScript = first.because === 'package.json' && part.because.endsWith('package.json')
    const isCovered = isScript
      ? await runsPackage(part.folder)
      : first.runner === 'cargo' &&
        part.runner === 'cargo' &&
        first.command.includes('--workspace') &&
        !isExcludedCrate(manifest, part.folder)
    if (isCovered) continue
    const isOfKind = isScript || (isPython(first) && isPython(part)) || (SEPARATE.has(part.runner) && part.runner === first.runner)
    const reason = isOfKind
      ? (asideReason(part.folder) ??
        (isScript && !(await isInstalled(part.folder, facts)) ? NOT_INSTALLED : null) ??
        (run.length > MAX_PARTS ? TOO_MANY : null))
      : asideReason(part.folder)
    // a runner that looks for tests below may have taken those of the folder: its report tells
    if (isOfKind && (reason === null || canTellFiles(first.runner))) {
      const isSkippedIfRun = canTellFiles(first.runner)
      run.push(reason === null ? { ...part, isSkippedIfRun } : { ...leftOut(part, reason), isSkippedIfRun })
    } else left.push(leftOut(part, reason))
  }
  return { run, left }
}
const NOT_INSTALLED = 'its packages are not installed'

/** Whether the packages that a package declares can be found from its folder. */
async function isInstalled(folder: string, { installed, read }: ProjectFacts): Promise<boolean> {
  if ([...installed].some((one) => one === '' || one === folder || folder.startsWith(`${one}/`))) return true
  const { dependencies, devDependencies } = (jsonOf((await read(`${folder}/package.json`)) ?? '') ?? {}) as Record<string, object>
  return Object.keys({ ...dependencies, ...devDependencies }).length === 0
}

/** The facts about one folder of a project. `inner`: folders in it that are projects of their own. */
interface FolderFacts extends ProjectFacts {
  inner: readonly string[]
}
type Found = Pick<PlannedCheck, 'runner' | 'command' | 'because'> & Partial<Pick<PlannedCheck, 'script' | 'hooks' | 'tests'>>
type Find = (facts: FolderFacts) => Promise<Found | null>

const all = async (finders: readonly Find[], facts: FolderFacts, folder: string): Promise<PlannedCheck[]> => {
  const found = (await Promise.all(finders.map((find) => find(facts)))).filter((one) => one !== null)
  return Promise.all(
    found.map(async ({ script = null, hooks = [], tests = [], ...check }) => ({
      ...(await plannedOf({ ...check, folder: '', reason: null }, facts)),
      folder,
      because: below(folder, check.because),
      script,
      hooks,
      tests: tests.map((name) => below(folder, name)),
    })),
  )
}

const below = (folder: string, name: string): string => (folder === '' ? name : `${folder}/${name}`)

function factsOf({ files, installed, read }: ProjectFacts, folder: string, folders: readonly string[]): FolderFacts {
  const inside = (names: readonly string[]) =>
    names.flatMap((name) => (name.startsWith(`${folder}/`) ? [name.slice(folder.length + 1)] : []))
  return { files: inside(files), installed, inner: inside(folders), read: (name) => read(`${folder}/${name}`) }
}

const verifyScript: Find = async ({ files }) => {
  const file = files.find((name) => name === 'verify.sh') ?? files.find((name) => name === 'tests/verify.sh')
  return file === undefined ? null : { runner: 'verify.sh', command: `bash ${file}`, because: file }
}

const packageScript: Find = async ({ read }) => {
  const scripts = scriptsOf(await read('package.json'))
  const text = scripts['test']
  if (typeof text !== 'string' || text.trim() === '' || PLACEHOLDER.test(text)) return null
  // the project's own shell would run another text than ours
  const hasOwnShell = /^\s*script-shell\s*=/m.test((await read('.npmrc')) ?? '')
  const script = hasOwnShell ? null : runnerCommandOf(scripts, 'test')
  const hooks = Object.keys(scripts).filter(
    (name) => /^(?:pre|post)./.test(name) && Object.hasOwn(scripts, name.replace(/^(?:pre|post)/, '')),
  )
  return { runner: script?.runner ?? 'npm', command: 'npm test', because: 'package.json', script, hooks: hasOwnShell ? [] : hooks }
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
  const more = files.filter((name) => name.endsWith('.py') && !PYTHON_TEST.test(name) && !isTheirs(name)).toSorted((a, b) => Number(NAMES_TESTS.test(b)) - Number(NAMES_TESTS.test(a))).slice(0, MAX_READ) // prettier-ignore
  const isTest = async (name: string) => /\bdef test/.test((await read(name)) ?? '') && HAS_CASES.test((await read(name)) ?? '')
  const elsewhere = (await Promise.all(more.map(async (name) => ((await isTest(name)) ? [name] : [])))).flat()
  return { runner: 'unittest', command: 'python3 -m unittest discover', because: cases.name, tests: elsewhere }
}

const NAMES_TESTS = /tests?|spec|check/i

const isPythonProject = (files: readonly string[], folder: string) => PYTHON_FILES.some((name) => files.includes(`${folder}/${name}`))

const bats: Find = async ({ files }) => {
  const tests = testsNamed('bats', files)
  if (tests.length === 0) return null
  const folders = [...new Set(tests.map((name) => path.posix.dirname(name)))]
  return { runner: 'bats', command: [batsProgramIn(files) ?? 'bats', ...folders].map(shellWord).join(' '), because: tests[0]! }
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

const makefile: Find = async ({ files, read }) => {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => files.includes(name))
  return file !== undefined && ((await read(file)) ?? '').split('\n').some(isTestRule)
    ? { runner: 'make', command: 'make test', because: file }
    : null
}
