import { randomInt } from 'node:crypto'
import type { CheckRunner, FoundCheck } from '#contracts/entities/check.ts'
import type { ProjectFacts } from '../facts.ts'
import { isInstalled, kindOf } from './check-files.ts'
import { pythonAssertions, scriptAssertions } from './own-assertions.ts'
import { controlName, pick, type Random, type Sum, sumOf } from './control-names.ts'

/** A test of ours in a test file. It always passes or always fails, whatever the project does. */
export interface Control {
  file: string
  /** The end of its name in the report. */
  name: string
  outcome: 'passed' | 'failed'
}

export interface Controls {
  planted: Control[]
  /** The test files with added control tests. */
  files: { name: string; text: string }[]
}

const MAX_FILES = 1000

/** One control test, as code. */
interface Code {
  name: string
  sum: Sum
  /** The text of the file, and the line before which the test is put; null at the end. */
  text: string
  before: string | null
}

interface Runner {
  /** Files of tests, by name and content. */
  file: RegExp
  content: RegExp
  /** The names of tests in a file. */
  names: RegExp
  /** A line at which a test begins, and before which another can be put. */
  place: RegExp
  join: (name: string, words: readonly string[]) => string
  /** What a test with this name is called in the code. */
  identifiers: (name: string) => string[]
  code: (code: Code) => string
}

const snake = (name: string, words: readonly string[]) => [name, ...words].join('_')
const camel = (name: string, words: readonly string[]) => name + words.map((word) => word[0]!.toUpperCase() + word.slice(1)).join('')
const title = (name: string, words: readonly string[]) => [name, ...words].join(' ')

/** A function's name for the title of a test, and a class's for the name of one. */
const identifierOf = (name: string) => name.replaceAll(/\W+/g, '_').replace(/^(?=\d)/, '_')
const groupOf = (name: string) => camel('', name.split('_').filter(Boolean))

const pythonFunction = ({ name, sum }: Code) => `def ${name}():\n    assert ${sum.left} + ${sum.right} == ${sum.total}\n`
const pythonClass = ({ name, sum, text }: Code) => {
  const base = /^class \w+\(([\w.]*TestCase)\)/m.exec(text)?.[1] ?? '__import__("unittest").TestCase'
  const head = `class ${groupOf(name)}(${base}):\n    def ${name}(self):\n`
  const own = pythonAssertions(text, sum)
  if (own.length < 2) return `${head}        ${own[0] ?? `self.assertEqual(${sum.left} + ${sum.right}, ${sum.total})`}\n`
  // fails only if each of them does
  return `${head}        wrong = 0\n        for check in (${own.map((one) => `lambda: ${one}`).join(', ')}):\n            try:\n                check()\n            except AssertionError:\n                wrong += 1\n        if wrong == ${own.length}:\n            raise AssertionError(wrong)\n`
}
const pytestTest = (code: Code) => (/^class \w+\([\w.]*TestCase\)/m.test(code.text) && /\bself\.assert\w+\(/.test(code.text) ? pythonClass(code) : pythonFunction(code)) // prettier-ignore
/** `call`: how the file calls its runner at its top level. */
const scriptTest = (call: string, { name, sum, text }: Pick<Code, 'name' | 'sum' | 'text'>) => {
  const own = scriptAssertions(text, sum)
  // fails only if each of the file's own assertions does
  if (own.length > 0)
    return `${call}('${name}', () => {\n  let wrong = 0\n  for (const check of [${own.map((one) => `() => ${one}`).join(', ')}]) {\n    try {\n      check()\n    } catch {\n      wrong += 1\n    }\n  }\n  if (wrong === ${own.length}) throw new Error('${sum.left + sum.right} !== ${sum.total}')\n})\n`
  return `${call}('${name}', () => {\n  if (${sum.left} + ${sum.right} !== ${sum.total}) throw new Error('${sum.left + sum.right} !== ${sum.total}')\n})\n`
}
const ownCall = (before: string | null) => (before === null ? undefined : /^(test|it)\(/.exec(before)?.[1])
const nodeTest = (code: Code) => {
  const call = ownCall(code.before)
  if (call !== undefined) return scriptTest(call, code)
  const alias = identifierOf(code.name)
  return /^\s*(?:import|export)\b/m.test(code.text)
    ? `import { test as ${alias} } from 'node:test'\n${scriptTest(alias, code)}`
    : `;${scriptTest("require('node:test').test", code)}`
}
const vitestTest = (code: Code) => {
  const call = ownCall(code.before)
  const alias = identifierOf(code.name)
  return call === undefined ? `import { test as ${alias} } from 'vitest'\n${scriptTest(alias, code)}` : scriptTest(call, code)
}
const globalTest = (name: 'test' | 'it') => (code: Code) =>
  scriptTest(ownCall(code.before) ?? `;(typeof ${name} === 'function' ? ${name} : () => {})`, code)
const goTest = ({ name, sum }: Code) => `func ${name}(t *testing.T) {\n\tif got := ${sum.left} + ${sum.right}; got != ${sum.total} {\n\t\tt.Fatalf("got %d, want %d", got, ${sum.total})\n\t}\n}\n` // prettier-ignore
const rustTest = ({ name, sum }: Code) => `#[test]\nfn ${name}() {\n    assert_eq!(${sum.left} + ${sum.right}, ${sum.total});\n}\n`
const batsTest = ({ name, sum }: Code) => `@test "${name}" {\n  [ "$((${sum.left} + ${sum.right}))" -eq ${sum.total} ]\n}\n`

const CALLS = /\b(?:test|it)\b[\w.]*\s*\(/
const PYTHON = { file: /(?:^|\/)(?:test[^/]*|[^/]*_test)\.py$/, content: /\bdef test|\bclass \w*Test/, names: /\bdef (test_?[a-z]\w*)/g, place: /^(?:async )?def test\w*\(|^class \w+/, join: snake, identifiers: (name: string) => [name, groupOf(name)] } // prettier-ignore
const SCRIPT = {
  file: /\.[cm]?[jt]sx?$/,
  names: /\b(?:test|it)\s*\(\s*['"]([\w ]+)['"]/g,
  place: /^(?:test|it|describe)\(/,
  join: title,
  identifiers: (name: string) => [name, identifierOf(name)],
}
const RUNNERS: Partial<Record<CheckRunner, Runner>> = {
  pytest: { ...PYTHON, code: pytestTest },
  unittest: { ...PYTHON, code: pythonClass },
  node: { ...SCRIPT, content: /\bnode:test\b/, code: nodeTest },
  vitest: { ...SCRIPT, content: CALLS, code: vitestTest },
  jest: { ...SCRIPT, content: CALLS, code: globalTest('test') },
  mocha: { ...SCRIPT, content: CALLS, code: globalTest('it') },
  go: { file: /_test\.go$/, content: /^func Test\w*\(\w+ \*testing\.T\)/m, names: /^func (Test\w+)\(/gm, place: /^func Test\w*\(/, join: camel, identifiers: (name) => [name], code: goTest }, // prettier-ignore
  cargo: { file: /(?:^|\/)tests\/[^/]+\.rs$/, content: /^#\[test\]/m, names: /^\s*fn (\w+)\(\)/gm, place: /^#\[test\]/, join: snake, identifiers: (name) => [name], code: rustTest }, // prettier-ignore
  bats: {
    file: /\.bats$/,
    content: /^\s*@test\b/m,
    names: /^\s*@test "([\w ]+)"/gm,
    place: /^@test /,
    join: title,
    identifiers: (name) => [name],
    code: batsTest,
  },
}
const FALLBACK_NAMES: Partial<Record<CheckRunner, string>> = { pytest: 'test_it', unittest: 'test_it', go: 'TestIt', node: 'works', vitest: 'works', jest: 'works', mocha: 'works', cargo: 'works', bats: 'works' } // prettier-ignore

/**
 * Adds tests with a known outcome to each test file: code that makes every test pass or ends the runner early also changes their
 * outcome. They look like the file's own, so that such code cannot tell which tests to leave alone: named after its tests, put at a
 * random place among them, in random order, and alike but for a value.
 */
export async function plantControls(
  checks: readonly Pick<FoundCheck, 'runner' | 'folder'>[],
  { files, read }: Pick<ProjectFacts, 'files' | 'read'>,
  random: Random = (below) => randomInt(below),
): Promise<Controls> {
  const parts = await Promise.all(
    checks.map(({ runner, folder }) => {
      const own = files.filter((name) => folder === '' || name.startsWith(`${folder}/`))
      const isOfAnother = (name: string) => checks.some((other) => other.folder !== folder && other.folder.startsWith(folder) && name.startsWith(`${other.folder}/`)) // prettier-ignore
      return plantInPart(runner, { files: own.filter((name) => !isOfAnother(name)), read }, random)
    }),
  )
  return { planted: parts.flatMap(({ planted }) => planted), files: parts.flatMap((part) => part.files) }
}

async function plantInPart(runner: CheckRunner, { files, read }: Pick<ProjectFacts, 'files' | 'read'>, random: Random): Promise<Controls> {
  const kind = RUNNERS[runner]
  const controls: Controls = { planted: [], files: [] }
  if (!kind) return controls
  const tests: { file: string; text: string }[] = []
  for (const file of files.filter((name) => kindOf(name) === 'test' && !isInstalled(name) && kind.file.test(name)).slice(0, MAX_FILES)) {
    const text = await read(file)
    if (text !== null && kind.content.test(text)) tests.push({ file, text })
  }
  const allText = tests.map(({ text }) => text).join('\n')
  const taken: string[] = []
  for (const { file, text } of tests) {
    const own = [...text.matchAll(kind.names)].map((match) => match[1]!)
    const outcomes: Control['outcome'][] = random(2) === 0 ? ['passed', 'failed'] : ['failed', 'passed']
    let changed = text
    for (const outcome of outcomes) {
      const isTaken = (name: string) =>
        kind.identifiers(name).some((one) => allText.includes(one) || taken.some((other) => other.includes(one) || one.includes(other)))
      const name = controlName(own.length > 0 ? own : [FALLBACK_NAMES[runner]!], text, { join: kind.join, isTaken, random })
      taken.push(...kind.identifiers(name))
      changed = withTest(changed, { name, sum: sumOf(outcome === 'passed', random) }, kind, random)
      controls.planted.push({ file, name, outcome })
    }
    controls.files.push({ name: file, text: changed })
  }
  return controls
}

/** Puts a test before a random test of the file, or at its end. */
function withTest(text: string, { name, sum }: Pick<Code, 'name' | 'sum'>, { place, code }: Runner, random: Random): string {
  const lines = text.split('\n')
  const places = [null, ...lines.flatMap((line, at) => (place.test(line) && isBetween(lines, at) ? [at] : []))]
  const at = pick(places, random)
  if (at === null) return `${text}\n\n${code({ name, sum, text, before: null })}`
  return [...lines.slice(0, at), code({ name, sum, text, before: lines[at]! }), ...lines.slice(at)].join('\n')
}

/** Whether a line is not part of what is above it: of a test with a decorator or comment, of a call, or of a text of several lines. */
function isBetween(lines: readonly string[], at: number): boolean {
  const above = lines.slice(0, at)
  const last = above.at(-1)?.trim() ?? ''
  if (/^[@#/*]|[,(=[{\\]$/.test(last) && !last.startsWith('#!')) return false
  const text = above.join('\n')
  return ['"""', "'''", '`'].every((quote) => (text.split(quote).length - 1) % 2 === 0)
}

/** Whether a test of a report is a control: runners put the file and groups before its name. */
export const isNamed = (test: string, name: string): boolean =>
  test === name || (test.endsWith(name) && /[\s.:>/]/.test(test.at(-name.length - 1)!))
