import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { shellWord } from '#server/adapters/tools/shell-words.ts'
import { ciChecks } from './ci-files.ts'
import type { ProjectFacts } from './facts.ts'

/** Finds the checks of a project, the most reliable first. Only reads files; a missing program is noticed when the check runs. */
export async function detect(facts: ProjectFacts): Promise<FoundCheck[]> {
  const finders: Find[] = [verifyScript, packageScript, python, bats, go, cargo, makefile]
  const found = (await Promise.all(finders.map((find) => find(facts)))).filter((one) => one !== null)
  const isFound = ({ command }: FoundCheck) => found.some((one) => one.command === command.replace(/^npm (?:t|run test)$/, 'npm test'))
  return [...found, ...(await ciChecks(facts)).filter((one) => !isFound(one))]
}

type Find = (facts: ProjectFacts) => FoundCheck | null | Promise<FoundCheck | null>

const verifyScript: Find = ({ files }) => {
  const file = files.find((name) => name === 'verify.sh') ?? files.find((name) => name === 'tests/verify.sh')
  return file === undefined ? null : { runner: 'verify.sh', command: `bash ${file}`, because: file }
}

const SCRIPT_RUNNERS: [CheckRunner, RegExp][] = [
  ['vitest', /\bvitest\b/],
  ['jest', /\bjest\b/],
  ['mocha', /\bmocha\b/],
  ['node', /\bnode\b.*\s--test\b/],
]

const packageScript: Find = async ({ read }) => {
  const script = testScript(await read('package.json'))
  if (script === null) return null
  const last = script.split(/&&|;/).at(-1)! // added arguments reach only the last command of a script
  const runner = SCRIPT_RUNNERS.find(([, sign]) => sign.test(last))?.[0] ?? 'npm'
  return { runner, command: 'npm test', because: 'package.json' }
}

/** npm puts a script that always fails into every new package. */
const PLACEHOLDER = /no test specified/

function testScript(text: string | null): string | null {
  const script = (jsonOf(text ?? 'null') as { scripts?: { test?: unknown } | null } | null | undefined)?.scripts?.test
  return typeof script === 'string' && script.trim() !== '' && !PLACEHOLDER.test(script) ? script : null
}

/** How many tests are read to find out how they run. */
const MAX_READ = 200
const PYTEST_FILES = ['pytest.ini', 'conftest.py', 'tests/conftest.py', 'test/conftest.py']
const PYTEST_SECTIONS: [string, RegExp][] = [
  ['pyproject.toml', /^\[tool\.pytest\b/m],
  ['setup.cfg', /^\[tool:pytest\]/m],
  ['tox.ini', /^\[pytest\]/m],
]
const PYTHON_TEST = /(^|\/)(test_[^/]*|[^/]*_test)\.py$/
const USES_UNITTEST = /^\s*(?:import unittest\b|from unittest\b)/m
const USES_PYTEST = /^\s*(?:import pytest\b|from pytest\b)/m

const python: Find = async ({ files, read }) => {
  const pytest = (because: string): FoundCheck => ({ runner: 'pytest', command: 'python3 -m pytest', because })
  const sections = await Promise.all(PYTEST_SECTIONS.map(async ([name, section]) => (section.test((await read(name)) ?? '') ? [name] : [])))
  const config = PYTEST_FILES.find((name) => files.includes(name)) ?? sections.flat()[0]
  if (config !== undefined) return pytest(config)
  const tests = files.filter((name) => PYTHON_TEST.test(name)).slice(0, MAX_READ)
  if (tests.length === 0) return null
  const texts = await Promise.all(tests.map(async (name) => ({ name, text: (await read(name)) ?? '' })))
  const plain = texts.find(({ text }) => USES_UNITTEST.test(text))
  if (plain === undefined || texts.some(({ text }) => USES_PYTEST.test(text))) return pytest(tests[0]!)
  return { runner: 'unittest', command: 'python3 -m unittest discover', because: plain.name }
}

const bats: Find = ({ files }) => {
  const file = files.find((name) => name.endsWith('.bats'))
  if (file === undefined) return null
  const folder = file.split('/').slice(0, -1).join('/') || '.'
  return { runner: 'bats', command: `bats --recursive ${shellWord(folder)}`, because: file }
}

const go: Find = ({ files }) =>
  files.includes('go.mod') && files.some((name) => name.endsWith('_test.go'))
    ? { runner: 'go', command: 'go test ./...', because: 'go.mod' }
    : null

const cargo: Find = ({ files }) => (files.includes('Cargo.toml') ? { runner: 'cargo', command: 'cargo test', because: 'Cargo.toml' } : null)

const TARGET = /^(?:.*\s)?test(?:\s[^:=]*)?:(?!=)/m

const makefile: Find = async ({ files, read }) => {
  const file = ['GNUmakefile', 'makefile', 'Makefile'].find((name) => files.includes(name))
  return file !== undefined && TARGET.test((await read(file)) ?? '') ? { runner: 'make', command: 'make test', because: file } : null
}
