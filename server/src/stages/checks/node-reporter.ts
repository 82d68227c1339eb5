/**
 * A reporter for `node --test`: one line of JSON for each test, with any name, and a last line that says the report is complete. A test that
 * began and never ended is an error, because its file left early with exit code 0; if a file leaves at once, Node reports the file itself
 * as one passed test. Suites count only if they fail by themselves (in hooks, or behind their subtests). A test that is to do does not fail.
 */
export const NODE_REPORTER = `import fs from 'node:fs'
import path from 'node:path'

const MAX_TEXT = 4000
const open = new Map()
const busy = new Set()
const files = new Map()
const printed = new Map()
const above = []
const keyOf = ({ file, line, column, name, nesting }) => JSON.stringify([file, line, column, name, nesting])
const isFile = ({ name, file, nesting }) => nesting === 0 && typeof file === 'string' && typeof name === 'string' && (name === file || file.endsWith('/' + name.replace(/^[.][/]/, '')))
const line = (test) => JSON.stringify({ durationMs: null, message: null, file: null, ...test }) + '\\n'

function begin({ name, nesting }) {
  above.length = Math.min(above.length, nesting)
  if (nesting > 0 && above[nesting - 1]) above[nesting - 1].hasParts = true
  above[nesting] = { name: String(name), hasParts: false }
}

function messageOf({ name, file, details }) {
  const error = details?.error
  const cause = error?.cause
  const text = [cause?.stack ?? cause?.message ?? (typeof cause === 'string' ? cause : undefined) ?? error?.message]
  if (isFile({ name, file, nesting: 0 })) text.push(printed.get(name) ?? printed.get(file))
  return text.filter(Boolean).join('\\n').slice(0, MAX_TEXT)
}

function* ended(type, data) {
  const { name, nesting, file, details, skip, todo } = data
  const own = above[nesting]
  const isSuite = details?.type === 'suite' || own?.hasParts
  const isLeftOut = skip !== undefined || todo !== undefined
  const names = above.slice(0, nesting).map((one) => one?.name)
  const test = { name: [...names, String(name)].filter((one) => one !== undefined).join(' > '), durationMs: details?.duration_ms ?? null, file: file ?? null }
  if (type === 'test:fail' && !isLeftOut) {
    if (isSuite && details?.error?.failureType === 'subtestsFailed') return
    const signal = details?.error?.signal // of a file that was killed
    yield line({ ...test, ...(signal ? { outcome: 'error', message: 'It was killed by ' + signal + '.\\n' + messageOf(data) } : { outcome: 'failed', message: messageOf(data) }) })
  } else if (isLeftOut) {
    if (!own?.hasParts) yield line({ ...test, outcome: 'skipped' })
  } else if (!isSuite) yield line({ ...test, outcome: 'passed' })
}

const read = (file) => {
  try {
    return fs.readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
const RUNNER = /['"]node:test['"]/
const IMPORTED = /(?:\\bimport\\s+|\\b(?:const|let|var)\\s+)([^'"=;]*?)\\s*(?:\\bfrom|=\\s*(?:await\\s+import|require)\\s*[(])\\s*['"]([^'"]+)['"]/g
const CALL = /(?:^|[^\\w$.])([\\w$]+)(?:[.](?:test|it|suite|describe|only))?\\s*[(]\\s*['"\x60]/gm
const AT_ONCE = /['"]node:test['"]\\s*[)](?:[.]\\w+)?\\s*[(]/

/** The names by which a file calls the runner: its own, or those of a file beside it that uses the runner. */
function namesOfRunner(file, text) {
  const names = new Set(RUNNER.test(text) ? ['test', 'it', 'suite', 'describe'] : [])
  for (const [, bound, from] of text.matchAll(IMPORTED)) {
    const isRunner = from === 'node:test' || (from.startsWith('.') && ['', '.js', '.mjs', '.cjs', '.ts'].some((end) => RUNNER.test(read(path.resolve(path.dirname(file), from) + end))))
    if (isRunner) for (const part of bound.split(/[{},]/)) names.add(/(?:^|[\\s:])([\\w$]+)\\s*$/.exec(part)?.[1])
  }
  return names
}

const usesRunner = (file) => {
  const text = read(file)
  const names = namesOfRunner(file, text)
  return AT_ONCE.test(text) || [...text.matchAll(CALL)].some(([, name]) => names.has(name))
}

export default async function* reporter(source) {
  for await (const { type, data } of source) {
    if (type === 'test:stderr') printed.set(data.file, ((printed.get(data.file) ?? '') + data.message).slice(-MAX_TEXT))
    else if (type === 'test:start') begin(data)
    else if (type === 'test:enqueue' && !isFile(data)) {
      const key = keyOf(data)
      open.set(key, { name: String(data.name), file: data.file ?? null, times: (open.get(key)?.times ?? 0) + 1 })
      busy.add(data.file)
    } else if (type === 'test:pass' || type === 'test:fail') {
      if (type === 'test:pass' && isFile(data) && !above[0]?.hasParts) {
        files.set(data.file, data)
        continue
      }
      const waiting = open.get(keyOf(data))
      if (waiting && (waiting.times -= 1) === 0) open.delete(keyOf(data))
      busy.add(data.file)
      yield* ended(type, data)
    }
  }
  const isFiltered = process.execArgv.some((option) => /^--test-(?:name-pattern|skip-pattern|only)/.test(option))
  for (const [file, data] of files) {
    const isEarly = !isFiltered && !busy.has(file) && usesRunner(file)
    if (isEarly) yield line({ name: data.name, file, outcome: 'error', message: 'It ended with exit code 0 before its tests: its file left early.' })
    else if (data.skip === undefined) yield line({ name: data.name, file, outcome: 'passed', durationMs: data.details?.duration_ms ?? null })
  }
  for (const { name, file } of open.values()) yield line({ name, file, outcome: 'error', message: 'It began and has no result: its file left early.' })
  yield JSON.stringify({ end: true }) + '\\n'
}
`
