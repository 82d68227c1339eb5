import { expect, test } from 'vitest'
import { entryValues, responseValues } from './rows.ts'
import { countOf, entrySlices, factsOf, isLong, responseSlices, SLICE } from './slices.ts'
import { packed, testEntry, testId, testOutput } from './testing.ts'

const session = 'long'
const long = (entries: number) =>
  testOutput({
    session,
    entries: Array.from({ length: entries }, (_, index) => testEntry(testId(session), index, { success: index % 3 > 0 })),
  })

test('rows are unpacked from slices in order, in the form of the tables', () => {
  const plain = long(2 * SLICE + 7)
  const { output, buffers } = packed(plain)
  expect([countOf(output), isLong(output)]).toEqual([countOf(plain), true])
  // Transferred to another thread, they are no longer usable here.
  const moved = structuredClone(output, { transfer: buffers })
  expect(output.packed!.entries.every(({ length }) => length === 0)).toBe(true)
  const slices = [...entrySlices(moved)]
  expect(slices.map((slice) => slice.length)).toEqual([SLICE, SLICE, 7])
  expect(slices.flat()).toEqual(plain.entries.map((row) => entryValues(testId(session), row)))
  expect([...responseSlices(moved)].flat()).toEqual(plain.responses.map(responseValues))
  expect(moved.packed!.facts).toEqual(factsOf(plain.entries))
})

test('a short output is written at once, packed or not', () => {
  const output = long(3)
  expect([isLong(output), isLong(packed(output).output)]).toEqual([false, false])
  expect([...entrySlices(output)].flat()).toEqual(output.entries.map((row) => entryValues(testId(session), row)))
})
