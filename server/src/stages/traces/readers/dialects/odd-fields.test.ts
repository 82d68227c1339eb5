import fc from 'fast-check'
import { expect, it } from 'vitest'
import { bytesOf, FILES, linesOf, readBytes } from './testing.ts'

const agents = Object.keys(FILES) as (keyof typeof FILES)[]

/** The path of every value inside a value. */
function placesIn(value: unknown, at: (string | number)[] = []): (string | number)[][] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([key, inner]) => placesIn(inner, [...at, key]))]
}

function withValue(value: unknown, at: readonly (string | number)[], other: unknown): unknown {
  if (at.length === 0) return other
  const [key, ...rest] = at
  if (Array.isArray(value)) return value.with(Number(key), withValue(value[Number(key)], rest, other)) as unknown
  const fields = value as Record<string, unknown> // it contains the position
  return { ...fields, [key!]: withValue(fields[key!], rest, other) }
}

it.each(agents)('%s: any field may have any value, and the rest is still read', (agent) => {
  const records = bytesOf(FILES[agent])
    .toString()
    .trimEnd()
    .split('\n')
    .map((line) => {
      const record = JSON.parse(line) as { row?: { data?: unknown } }
      // Rows of OpenCode contain JSON strings: parsed, so that their fields are changed too.
      return typeof record.row?.data === 'string'
        ? { ...record, row: { ...record.row, data: JSON.parse(record.row.data) as unknown } }
        : record
    })
  const places = records.flatMap((record, index) => placesIn(record).map((at) => ({ index, at })))
  const odd = fc.oneof(
    fc.constantFrom(null, '', 0, -1, 0.5, 8.64e15 + 1, -8.64e15 - 1, true, [], {}, [null], [[]], 'x', [{ text: 7 }], { id: 1 }),
    fc.jsonValue({ maxDepth: 2 }),
  )
  fc.assert(
    fc.property(fc.nat(places.length - 1), odd, (pick, value) => {
      const { index, at } = places[pick]!
      const output = readBytes(agent, linesOf(...records.with(index, withValue(records[index], at, value) as (typeof records)[number])))
      for (const row of output.entries) {
        for (const field of [row.label, row.tool, row.cwd, row.model, row.messageId, row.file])
          expect(field === null || typeof field === 'string').toBe(true)
        for (const field of [row.at, row.endedAt, row.exitCode]) expect(field === null || Number.isFinite(field)).toBe(true)
      }
      for (const one of output.responses) expect(Number.isFinite(one.input! + one.output! + one.cacheRead! + one.cacheWrite!)).toBe(true)
      expect(new Set(output.entries.map(({ id }) => id)).size).toBe(output.entries.length)
    }),
    { numRuns: 400 },
  )
})
