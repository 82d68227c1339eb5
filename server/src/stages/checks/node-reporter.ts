/**
 * A reporter for `node --test`: JUnit XML, with a failing test case for each test that began and never ended, because its file left
 * early with exit code 0. If a file leaves at once, Node reports the file itself as one passed test. JUnit has no failures of suites (in
 * hooks, or behind their subtests), so they are listed as well. A test that is to do does not fail.
 */
export const NODE_REPORTER = `import fs from 'node:fs'
import { junit } from 'node:test/reporters'

const open = new Map()
const busy = new Set()
const files = new Map()
const failed = []
const keyOf = ({ file, line, column, name, nesting }) => JSON.stringify([file, line, column, name, nesting])
const isFile = ({ name, file, nesting }) => nesting === 0 && typeof file === 'string' && typeof name === 'string' && (name === file || file.endsWith('/' + name.replace(/^[.][/]/, '')))

async function* watched(source) {
  for await (const event of source) {
    const { type, data } = event
    if (data && isFile(data)) {
      if (type === 'test:pass') files.set(data.file, data.name)
    } else if (data && type === 'test:enqueue') {
      open.set(keyOf(data), data.name)
      busy.add(data.file)
    } else if (data && (type === 'test:pass' || type === 'test:fail')) {
      open.delete(keyOf(data))
      busy.add(data.file)
      const isOwn = type === 'test:fail' && data.todo === undefined && data.details?.error?.failureType !== 'subtestsFailed'
      if (isOwn) failed.push(data.name)
    }
    yield type === 'test:fail' && data.todo !== undefined ? { type: 'test:pass', data } : event
  }
}

const usesRunner = (file) => {
  try {
    const text = fs.readFileSync(file, 'utf8')
    return /['"]node:test['"]/.test(text) && /\\b(?:test|it|suite|describe)\\b[^\\n]*\\(\\s*['"\\x60]/.test(text)
  } catch {
    return false
  }
}
const escaped = (text) => String(text).replace(/[\\0-\\x1f]/g, ' ').replace(/[^\\w .:/-]/g, (one) => '&#' + one.codePointAt(0) + ';')
const caseOf = (name, kind, message) => '<testsuites><testcase name="' + escaped(name) + '" classname="test"><' + kind + ' message="' + message + '"/></testcase></testsuites>\\n'

export default async function* reporter(source) {
  yield* junit(watched(source))
  const isFiltered = process.execArgv.some((option) => /^--test-(?:name-pattern|skip-pattern|only)/.test(option))
  const early = isFiltered ? [] : [...files].filter(([file]) => !busy.has(file) && usesRunner(file)).map(([, name]) => name)
  yield '<!-- unfinished -->\\n'
  for (const name of [...open.values(), ...early]) yield caseOf(name, 'error', 'It began and has no result: its file left early.')
  yield '<!-- failed -->\\n'
  for (const name of failed) yield caseOf(name, 'failure', 'It failed by itself or in a hook; the output says where.')
}
`
