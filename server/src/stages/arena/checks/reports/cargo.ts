import type { CheckedTest } from '#contracts/entities/check.ts'
import { type Report, shortened } from './report.ts'

const TEST = /^test (.+?)(?: - should panic)? \.\.\. (ok|FAILED|ignored)/
const SUMMARY = /^test result: (?:ok|FAILED)\. (\d+) passed; (\d+) failed; (\d+) ignored/
const DETAILS = /^---- (.+) stdout ----$/

/** Reads the output of Rust test programs. Null if their totals are missing or do not match the lines of the tests. */
export function cargoReport(text: string): Report | null {
  const tests: CheckedTest[] = []
  let counted = 0
  let summaries = 0
  let open: string[] | null = null
  const details = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [, name, outcome] = TEST.exec(line) ?? []
    if (name !== undefined) {
      tests.push({
        name,
        outcome: outcome === 'ok' ? 'passed' : outcome === 'FAILED' ? 'failed' : 'skipped',
        durationMs: null,
        message: null,
      })
      continue
    }
    const [, about] = DETAILS.exec(line) ?? []
    if (about !== undefined) details.set(about, (open = []))
    else if (line.startsWith('failures:')) open = null
    else open?.push(line)
    const totals = SUMMARY.exec(line)
    if (!totals) continue
    summaries += 1
    counted += totals.slice(1).reduce((sum, count) => sum + Number(count), 0)
  }
  if (summaries === 0 || counted !== tests.length) return null
  return { tests: tests.map((test) => ({ ...test, message: shortened(details.get(test.name)?.join('\n')) })) }
}
