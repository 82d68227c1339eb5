// What failed in a suite, from its report: each test by its name with the message, for the end of the output.
import fs from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const LINES = 40

/** Returns a text for each failed test of the report at `file`; where it names none, the end of what the suite `printed`. */
export function faultsOf(suite, file, printed) {
  const report = fs.existsSync(file) ? JSON.parse(fs.readFileSync(file, 'utf8')) : {}
  const found = [...ofVitest(report), ...ofPlaywright(report)]
  const output = fs.existsSync(printed) ? `it ended with\n${quoted(fs.readFileSync(printed, 'utf8'), -LINES)}` : 'its output above says how'
  if (found.length === 0) return [`${suite}: failed outside a test; ${output}`]
  return found.map(({ name, message }) => `${suite}: ${name}\n${quoted(message, 0, LINES)}`)
}

function ofVitest({ testResults = [] }) {
  return testResults.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed')
    const told = failed.map((test) => ({ name: `${name} > ${test.fullName}`, message: test.failureMessages.join('\n') }))
    return told.length === 0 && message ? [{ name, message }] : told
  })
}

function ofPlaywright({ suites = [], errors = [] }) {
  const below = suites.flatMap((suite) => [...ofPlaywright(suite), ...(suite.specs ?? []).filter(({ ok }) => !ok).map(ofSpec)])
  return [...errors.map(({ message }) => ({ name: 'outside a test', message })), ...below]
}

function ofSpec({ file, line, title, tests }) {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
  return { name: `${file}:${line} ${title}`, message: errors.map(({ message }) => message).join('\n') }
}

function quoted(text, from, to) {
  const lines = stripVTControlCharacters(text ?? '').split('\n')
  const own = lines.filter((line) => !line.includes('/node_modules/'))
  return own
    .slice(from, to)
    .map((line) => `  ${line}`)
    .join('\n')
}
