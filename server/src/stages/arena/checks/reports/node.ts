import { junitReport } from './junit.ts'
import type { Report } from './report.ts'

const MARK = '<!-- unfinished -->\n'

/** Reads what `NODE_REPORTER` wrote: a JUnit document, and one for each test that has no result. Null if it did not reach its end. */
export function nodeReport(text: string): Report | null {
  const at = text.lastIndexOf(MARK)
  const report = at === -1 ? null : junitReport(text.slice(0, at))
  if (report === null) return null
  const unfinished = text.slice(at + MARK.length).split('\n').flatMap((line) => junitReport(line)?.tests ?? []) // prettier-ignore
  const names = new Set(unfinished.map(({ name }) => name))
  return { tests: [...report.tests.filter(({ name, outcome }) => outcome !== 'passed' || !names.has(name)), ...unfinished] }
}
