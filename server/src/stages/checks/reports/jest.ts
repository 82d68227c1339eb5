import { z } from 'zod'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { type Report, shortened } from './report.ts'

const Jest = z.object({
  numTotalTests: z.number(),
  testResults: z.array(
    z.object({
      name: z.string(),
      status: z.string(),
      message: z.string().default(''),
      assertionResults: z.array(
        z.object({
          fullName: z.string(),
          status: z.string(),
          duration: z.number().nullish(),
          failureMessages: z.array(z.string()).nullish(),
        }),
      ),
    }),
  ),
})

/** Reads the file that `jest --json` writes. A file that could not be loaded, or failed outside its tests, counts as one error. */
export function jestReport(text: string): Report | null {
  const parsed = Jest.safeParse(jsonOf(text))
  if (!parsed.success) return null
  const tests = parsed.data.testResults.flatMap(({ name, status, message, assertionResults }) => [
    ...assertionResults.map((one) => ({
      name: one.fullName,
      outcome: one.status === 'passed' ? ('passed' as const) : one.status === 'failed' ? ('failed' as const) : ('skipped' as const),
      durationMs: one.duration ?? null,
      message: shortened(one.failureMessages?.join('\n')),
    })),
    ...(status === 'failed' && !assertionResults.some((one) => one.status === 'failed')
      ? [{ name, outcome: 'error' as const, durationMs: null, message: shortened(message) }]
      : []),
  ])
  return { tests, places: parsed.data.testResults.map(({ name }) => name) }
}
