import type { CheckedTest } from '#contracts/entities/check.ts'
import { type Report, shortened } from './report.ts'

const TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/gm
/** A test whose name stands anywhere in a line: an earlier test has printed without a line end. */
const BEGUN = /test (\S+|\S+ - [^\n]*?\(line \d+\))(?: - [a-z ]+)? \.\.\. /g
const ENDED = /(ok|FAILED|ignored(?:, [^\n]*)?)$/gm
const SUMMARY = /^(?:.*?)test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/gm
/** From the folder of its crate. */
const RUNNING = /^\s*Running (?:unittests )?(\S+\.rs) \(/gm
const DETAILS = /^---- (.+) stdout ----\n([\s\S]*?)(?=^---- |^failures:)/gm

/** Reads the output of Rust test programs. Null if their totals are missing or do not match the lines of the tests. */
export function cargoReport(text: string): Report | null {
  const tests: CheckedTest[] = []
  let begin = 0
  let summaries = 0
  for (const { index, 0: summary, 1: passed, 2: failed, 3: ignored } of text.matchAll(SUMMARY)) {
    const block = text.slice(begin, index)
    const isAll = (found: readonly CheckedTest[]) => {
      const count = (outcome: CheckedTest['outcome']) => found.filter((test) => test.outcome === outcome).length
      return count('passed') === Number(passed) && count('failed') === Number(failed) && count('skipped') === Number(ignored)
    }
    const found = [inLines(block), amongOutput(block)].find(isAll)
    if (found === undefined) return null
    tests.push(...found)
    begin = index + summary.length
    summaries += 1
  }
  if (summaries === 0) return null
  const details = new Map([...text.matchAll(DETAILS)].map(({ 1: name, 2: lines }) => [name, lines]))
  const places = [...text.matchAll(RUNNING)].map(({ 1: place }) => place!)
  return { tests: tests.map((test) => ({ ...test, message: shortened(details.get(test.name)) })), ...(places.length > 0 && { places }) }
}

const inLines = (block: string): CheckedTest[] => [...block.matchAll(TEST)].map(({ 1: name, 2: outcome }) => testOf(name!, outcome!))

/** In one thread, a test's output is between its name and its outcome. */
function amongOutput(block: string): CheckedTest[] {
  const begun = [...block.matchAll(BEGUN)]
  return begun.flatMap((match, index) => {
    const rest = block.slice(match.index + match[0].length, begun[index + 1]?.index)
    const outcome = [...rest.matchAll(ENDED)].at(-1)?.[1]
    return outcome === undefined ? [] : [testOf(match[1]!, outcome)]
  })
}

const testOf = (name: string, outcome: string): CheckedTest => ({
  name,
  outcome: outcome === 'ok' ? 'passed' : outcome === 'FAILED' ? 'failed' : 'skipped',
  durationMs: null,
  message: null,
})
