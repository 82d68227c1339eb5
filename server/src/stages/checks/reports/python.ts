import { z } from 'zod'
import type { CheckedTest } from '#contracts/entities/check.ts'
import { jsonOf } from '#server/adapters/tools/json.ts'
import { type Report, shortened } from './report.ts'

const Line = z.object({
  name: z.string(),
  outcome: z.enum(['passed', 'failed', 'error', 'skipped', 'end']),
  text: z.string().nullable(),
  seconds: z.number().nullable(),
  file: z.string().nullable().default(null),
})

const RANK = { passed: 0, skipped: 1, failed: 2, error: 3 } as const

/** Reads what `PYTHON_PROGRAM` printed after the mark. Null if it did not reach its end. */
export function pythonReport(output: string, mark: string): Report | null {
  const line = output.split('\n').findLast((one) => one.startsWith(mark))
  const payload = line === undefined ? null : jsonOf(line.slice(mark.length))
  if (typeof payload !== 'string') return null
  const tests = new Map<string, CheckedTest>()
  const places = new Set<string>()
  let hasEnded = false
  for (const text of payload.split('\n')) {
    const { data } = Line.safeParse(jsonOf(text))
    if (!data) continue
    if (data.outcome === 'end') {
      hasEnded = true
      continue
    }
    if (data.file !== null) places.add(data.file)
    const earlier = tests.get(data.name)
    if (earlier && RANK[earlier.outcome] >= RANK[data.outcome]) continue
    const durationMs = data.seconds === null ? null : data.seconds * 1000
    tests.set(data.name, { name: data.name, outcome: data.outcome, durationMs, message: shortened(data.text) })
  }
  return hasEnded ? { tests: [...tests.values()], places: [...places] } : null
}
