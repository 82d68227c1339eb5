import { z } from 'zod'
import type { CheckedTest } from '#contracts/entities/check.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { type Report, shortened } from './report.ts'

const Line = z.object({
  Action: z.string(),
  Package: z.string().default(''),
  Test: z.string().optional(),
  Elapsed: z.number().optional(),
  Output: z.string().optional(),
})

/**
 * Reads the lines of `go test -json`. A package that failed without a failed test (it did not compile) is an error, and so are a test
 * that began and has no result, and a package that ended well before any of its tests began. Null if there are no such lines.
 */
export function goReport(text: string): Report | null {
  const tests: CheckedTest[] = []
  const outputs = new Map<string, string>()
  const failed = new Set<string>()
  const begun = new Map<string, { packageName: string; test: string }>()
  const withTests = new Set<string>()
  let isReport = false
  const add = (packageName: string, test: string, action: 'pass' | 'fail' | 'skip', seconds: number | undefined) => {
    const name = `${packageName} > ${test}`
    begun.delete(name)
    if (action === 'fail') failed.add(packageName)
    tests.push({
      name,
      outcome: action === 'pass' ? 'passed' : action === 'fail' ? 'failed' : 'skipped',
      durationMs: seconds === undefined ? null : seconds * 1000,
      message: action === 'fail' ? shortened(ownLines(outputs.get(name))) : null,
    })
  }
  const endPackage = (packageName: string) => {
    for (const [name, one] of begun) {
      if (one.packageName !== packageName) continue
      const result = resultIn(outputs.get(name) ?? '', one.test)
      if (result) add(packageName, one.test, result.action, result.seconds)
    }
  }
  for (const raw of text.split('\n')) {
    const { data: line } = Line.safeParse(jsonOf(raw))
    if (!line) continue
    isReport = true
    const { Action: action, Package: packageName, Test: test, Elapsed: elapsed, Output: output = '' } = line
    const name = test === undefined ? packageName : `${packageName} > ${test}`
    if (action === 'output' || action === 'build-output') outputs.set(name, (outputs.get(name) ?? '') + output)
    if (test !== undefined) withTests.add(packageName)
    if (test !== undefined && action === 'run') begun.set(name, { packageName, test })
    if (test !== undefined && (action === 'pass' || action === 'fail' || action === 'skip')) add(packageName, test, action, elapsed)
    if (test !== undefined || (action !== 'pass' && action !== 'fail')) continue
    endPackage(packageName)
    if (action === 'fail' && !failed.has(packageName))
      tests.push({ name: packageName, outcome: 'error', durationMs: null, message: shortened(outputs.get(packageName)) })
    if (action === 'pass' && !withTests.has(packageName) && !SAYS_NO_TESTS.test(outputs.get(packageName) ?? ''))
      tests.push({ name: packageName, outcome: 'error', durationMs: null, message: 'It ended with exit code 0 before any of its tests.' })
  }
  const unfinished = [...begun.keys()].map((name): CheckedTest => ({ name, outcome: 'error', durationMs: null, message: shortened(outputs.get(name)) ?? 'It began and has no result.' })) // prettier-ignore
  return isReport ? { tests: [...tests, ...unfinished], places: [...withTests] } : null
}

/** What a test printed, without what Go printed of its begin; its result only if there is nothing else. */
function ownLines(output = ''): string {
  const without = (marks: RegExp) =>
    output
      .split('\n')
      .filter((line) => !marks.test(line))
      .join('\n')
  return without(/^\s*(?:=== |--- (?:PASS|FAIL|SKIP): )/).trim() || without(/^\s*=== /)
}

/** What Go prints for a package that has no tests, or none that were asked for. */
const SAYS_NO_TESTS = /no test(?:s to run| files)/

const ACTIONS = { PASS: 'pass', FAIL: 'fail', SKIP: 'skip' } as const

/** The result that Go printed behind what a test printed without a line end; Go before 1.20 does not report it. */
function resultIn(output: string, test: string): { action: 'pass' | 'fail' | 'skip'; seconds: number } | null {
  const results = [...output.matchAll(/--- (PASS|FAIL|SKIP): (\S+) \(([\d.]+)s\)$/gm)].filter((match) => match[2] === test)
  const match = results.find((one) => one[1] === 'FAIL') ?? results.at(-1)
  return match ? { action: ACTIONS[match[1] as keyof typeof ACTIONS], seconds: Number(match[3]) } : null
}
