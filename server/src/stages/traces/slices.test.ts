import { expect, test } from 'vitest'
import { entrySlices, factsOf, isLong, packLong, responseSlices, SLICE } from './slices.ts'
import { testEntry, testId, testOutput } from './testing.ts'

const session = 'long'
const long = (entries: number) =>
  testOutput({
    session,
    entries: Array.from({ length: entries }, (_, index) => testEntry(testId(session), index, { success: index % 3 > 0 })),
  })

test('a long output comes out of its slices as it went in, in order, none longer than a slice', () => {
  const packed = packLong(long(2 * SLICE + 7))
  expect(isLong(packed)).toBe(true)
  expect(packed.entries).toEqual([])
  const slices = [...entrySlices(packed)]
  expect(slices.map((slice) => slice.length).toSorted((a, b) => a - b)).toEqual([7, SLICE, SLICE])
  expect(slices.flat()).toEqual(long(2 * SLICE + 7).entries)
  expect([...responseSlices(packed)].flat()).toEqual(long(1).responses)
  expect(packed.packed!.facts).toEqual(factsOf(long(2 * SLICE + 7).entries))
})

test('a short output is left as it is', () => {
  const output = long(3)
  expect(packLong(output)).toBe(output)
  expect([...entrySlices(output)].flat()).toEqual(output.entries)
})
