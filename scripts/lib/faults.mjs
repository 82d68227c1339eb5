// Reads what failed from a suite's reports: the name and message of each, and what is needed to run it alone.
import fs from 'node:fs'
import { stripVTControlCharacters } from 'node:util'

const LINES = 40

/**
 * Every failure in a suite's reports, as `{name, message, again}`. `again` is the input of the suite's `only`: a test, the whole file of a
 * failure outside a test (it did not load, a hook, an uncaught error), or null if no file is known.
 */
export function failuresIn(...files) {
  const reports = files.filter((file) => fs.existsSync(file)).map((file) => JSON.parse(fs.readFileSync(file, 'utf8')))
  const diffs = reports.flatMap((report) => report.diffs ?? [])
  return reports.flatMap((report) => [...ofVitest(report, diffs), ...ofPlaywright(report)])
}

/** The failure as text for the end of the output. */
export const describeFailure = (suite, { name, message }) => `${suite}: ${name}\n${quoted(message, 0, LINES)}`

/** Describes a suite that failed without a failed test, by the last lines it printed. */
export function describeCrash(suite, printed) {
  const output = fs.existsSync(printed) ? `it ended with\n${quoted(fs.readFileSync(printed, 'utf8'), -LINES)}` : 'see its output above'
  return `${suite}: failed outside a test; ${output}`
}

function ofVitest({ testResults = [] }, diffs) {
  const diffOf = (file, titles) => diffs.find((diff) => diff.file === file && diff.name === titles.join(' > '))?.diff ?? ''
  return testResults.flatMap(({ name: file, message, assertionResults }) => [
    ...(message ? [{ name: file, message, again: fileAgain(file) }] : []),
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, ancestorTitles, title, failureMessages }) => ({
        name: `${file} > ${fullName}`,
        message: [...failureMessages, diffOf(file, [...ancestorTitles, title])].join('\n'),
        again: { file, titles: [...ancestorTitles, title] },
      })),
  ])
}

/** Playwright reports suites nested. A spec that did not run because another one failed counts as failed too. */
function ofPlaywright({ suites = [], errors = [] }) {
  const specs = suites.flatMap((suite) => [...ofPlaywright(suite), ...(suite.specs ?? []).filter(isFailed).map(ofSpec)])
  return [...errors.map(ofError), ...specs]
}

/** A failure outside a test, as Playwright and `vitest-errors.mjs` write it. */
const ofError = ({ message, location }) => ({
  name: location ? `${location.file}, outside a test` : 'outside a test',
  message,
  again: location ? fileAgain(location.file) : null,
})

const fileAgain = (file) => ({ file, isFile: true })

const isFailed = ({ ok, tests }) => !ok || tests.some((test) => test.status === 'skipped' && test.expectedStatus === 'passed')

function ofSpec({ file, line, title, tests }) {
  const errors = tests.flatMap(({ results }) => results.flatMap((result) => result.errors))
  const message = errors.map((error) => error.message).join('\n') || 'It did not run.'
  return { name: `${file}:${line} ${title}`, message, again: { file, title, line } }
}

function quoted(text, from, to) {
  const lines = stripVTControlCharacters(text ?? '').split('\n')
  const own = lines.filter((line) => !line.includes('/node_modules/'))
  return own
    .slice(from, to)
    .map((line) => `  ${line}`)
    .join('\n')
}
