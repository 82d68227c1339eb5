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

/** Reads the lines of `go test -json`. A package that failed without a failed test (it did not compile) is an error. Null if there are no such lines. */
export function goReport(text: string): Report | null {
  const tests: CheckedTest[] = []
  const outputs = new Map<string, string>()
  const failed = new Set<string>()
  let isReport = false
  for (const raw of text.split('\n')) {
    const { data: line } = Line.safeParse(jsonOf(raw))
    if (!line) continue
    isReport = true
    const { Action: action, Package: packageName, Test: test, Elapsed: elapsed, Output: output = '' } = line
    const name = test === undefined ? packageName : `${packageName} > ${test}`
    if (action === 'output' || action === 'build-output') outputs.set(name, (outputs.get(name) ?? '') + output)
    if (test !== undefined && (action === 'pass' || action === 'fail' || action === 'skip')) {
      if (action === 'fail') failed.add(packageName)
      tests.push({
        name,
        outcome: action === 'pass' ? 'passed' : action === 'fail' ? 'failed' : 'skipped',
        durationMs: elapsed === undefined ? null : elapsed * 1000,
        message: action === 'fail' ? shortened(outputs.get(name)) : null,
      })
    }
    if (test === undefined && action === 'fail' && !failed.has(packageName))
      tests.push({ name: packageName, outcome: 'error', durationMs: null, message: shortened(outputs.get(packageName)) })
  }
  return isReport ? { tests } : null
}
