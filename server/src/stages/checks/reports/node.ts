import { z } from 'zod'
import { CheckedTest } from '#contracts/entities/check.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { type Report, shortened } from './report.ts'

const Line = CheckedTest.extend({ file: z.string().nullable() })
const End = z.object({ end: z.literal(true) })

/** Reads what `NODE_REPORTER` wrote. Null if it did not reach its end. */
export function nodeReport(text: string): Report | null {
  const lines = text.split('\n').filter((line) => line !== '')
  if (!End.safeParse(jsonOf(lines.pop() ?? '')).success) return null
  const tests: CheckedTest[] = []
  const places = new Set<string>()
  for (const line of lines) {
    const { data } = Line.safeParse(jsonOf(line))
    if (!data) return null
    const { file, ...test } = data
    tests.push({ ...test, message: shortened(test.message) })
    if (file !== null) places.add(file)
  }
  return { tests, places: [...places] }
}
