import type { CheckRunner } from '#contracts/entities/check.ts'
import type { ProjectFacts } from '../facts.ts'
import { isInstalled, kindOf } from './check-files.ts'

/** A control test at the end of a test file. It always passes or always fails, whatever the project does. */
export interface Control {
  file: string
  /** Occurs in its name in the report. */
  name: string
  outcome: 'passed' | 'failed'
}

export interface Controls {
  planted: Control[]
  /** The test files with added control tests. */
  files: { name: string; text: string }[]
}

const MAX_FILES = 1000

type ControlCode = (text: string, pass: string, fail: string) => string

const pythonFunctions: ControlCode = (_, pass, fail) => `\n\ndef ${pass}():\n    pass\n\n\ndef ${fail}():\n    raise AssertionError\n`
const pythonClass: ControlCode = (_, pass, fail) =>
  `\n\nclass ${pass.replace('test', 'Control')}(__import__("unittest").TestCase):\n    def ${pass}(self):\n        pass\n\n    def ${fail}(self):\n        raise AssertionError\n`
const THROWS = `() => { throw new Error('expected') }`
const nodeTests: ControlCode = (text, pass, fail) =>
  /^\s*(?:import|export)\b/m.test(text)
    ? `\nimport { test as ${pass} } from 'node:test'\n${pass}('${pass}', () => {})\n${pass}('${fail}', ${THROWS})\n`
    : `\n;require('node:test').test('${pass}', () => {})\nrequire('node:test').test('${fail}', ${THROWS})\n`
const vitestTests: ControlCode = (_, pass, fail) =>
  `\nimport { test as ${pass} } from 'vitest'\n${pass}('${pass}', () => {})\n${pass}('${fail}', ${THROWS})\n`
const globalTests =
  (test: 'test' | 'it'): ControlCode =>
  (_, pass, fail) =>
    `\n;typeof ${test} === 'function' && (${test}('${pass}', () => {}), ${test}('${fail}', ${THROWS}))\n`

const goTests: ControlCode = (_, pass, fail) => `\n\nfunc Test_${pass}(t *testing.T) {}\n\nfunc Test_${fail}(t *testing.T) { t.Fail() }\n`
const rustTests: ControlCode = (_, pass, fail) => `\n\n#[test]\nfn ${pass}() {}\n\n#[test]\nfn ${fail}() { panic!() }\n`
const batsTests: ControlCode = (_, pass, fail) => `\n@test "${pass}" {\n  true\n}\n\n@test "${fail}" {\n  false\n}\n`

const SCRIPT = /\.[cm]?[jt]sx?$/
const CALLS = /\b(?:test|it)\b[\w.]*\s*\(/
const PYTHON: TestPatterns = { name: /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/, text: /\bdef test|\bclass \w*Test/ }
interface TestPatterns {
  name: RegExp
  text: RegExp
}
const RUNNERS: Partial<Record<CheckRunner, TestPatterns & { plant: ControlCode }>> = {
  pytest: { ...PYTHON, plant: pythonFunctions },
  unittest: { ...PYTHON, plant: pythonClass },
  node: { name: SCRIPT, text: /\bnode:test\b/, plant: nodeTests },
  vitest: { name: SCRIPT, text: CALLS, plant: vitestTests },
  jest: { name: SCRIPT, text: CALLS, plant: globalTests('test') },
  mocha: { name: SCRIPT, text: CALLS, plant: globalTests('it') },
  go: { name: /_test\.go$/, text: /^func Test\w*\(\w+ \*testing\.T\)/m, plant: goTests },
  cargo: { name: /(?:^|\/)tests\/[^/]+\.rs$/, text: /^#\[test\]/m, plant: rustTests },
  bats: { name: /\.bats$/, text: /^\s*@test\b/m, plant: batsTests },
}

/** Adds tests with a known outcome to each test file: code that makes every test pass or ends the runner early also changes their outcome. */
export async function plantControls(runner: CheckRunner, { files, read }: ProjectFacts, token: () => string): Promise<Controls> {
  const patterns = RUNNERS[runner]
  const controls: Controls = { planted: [], files: [] }
  if (!patterns) return controls
  for (const file of files
    .filter((name) => kindOf(name) === 'test' && !isInstalled(name) && patterns.name.test(name))
    .slice(0, MAX_FILES)) {
    const text = await read(file)
    if (text === null || !patterns.text.test(text)) continue
    const [pass, fail] = [`test_${token()}`, `test_${token()}`]
    controls.files.push({ name: file, text: `${text}${patterns.plant(text, pass, fail)}` })
    controls.planted.push({ file, name: pass, outcome: 'passed' }, { file, name: fail, outcome: 'failed' })
  }
  return controls
}
