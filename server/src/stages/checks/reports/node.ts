import { junitReport } from './junit.ts'
import type { Report } from './report.ts'

const MARK = '<!-- unfinished -->\n'
const FAILED = '<!-- failed -->\n'

/**
 * Reads what `NODE_REPORTER` wrote: a JUnit document, one for each test that has no result, and one for each failure that is not only
 * that of subtests. Null if it did not reach its end.
 */
export function nodeReport(text: string): Report | null {
  const [at, failedAt] = [text.lastIndexOf(MARK), text.lastIndexOf(FAILED)]
  const report = at === -1 || failedAt < at ? null : junitReport(text.slice(0, at))
  if (report === null) return null
  const testsIn = (lines: string) => lines.split('\n').flatMap((line) => junitReport(line)?.tests ?? [])
  const listed = new Set(report.tests.flatMap(({ name, outcome }) => (outcome === 'passed' || outcome === 'skipped' ? [] : [name])))
  const unfinished = testsIn(text.slice(at + MARK.length, failedAt))
  const failed = testsIn(text.slice(failedAt + FAILED.length)).filter(({ name }) => !listed.has(name))
  const names = new Set([...unfinished, ...failed].map(({ name }) => name))
  return { tests: [...report.tests.filter(({ name, outcome }) => outcome !== 'passed' || !names.has(name)), ...unfinished, ...failed] }
}
