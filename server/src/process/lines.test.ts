import fc from 'fast-check'
import { expect, it } from 'vitest'
import { lineSplitter } from './lines.ts'

function split(bytes: Buffer, cuts: readonly number[], longest?: number): string[] {
  const lines: string[] = []
  const splitter = lineSplitter((line) => lines.push(line), longest)
  const ends = [...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  let from = 0
  for (const end of ends) {
    splitter.write(bytes.subarray(from, end))
    from = end
  }
  splitter.end()
  return lines
}

it('gives the same lines wherever the chunks end, also inside a character and between \\r and \\n', () => {
  const piece = fc.oneof(fc.constantFrom('\n', '\r\n', '\r', 'é', '\u2028', '🙂', ''), fc.string())
  fc.assert(
    fc.property(fc.array(piece), fc.array(fc.nat()), (pieces, cuts) => {
      const text = pieces.join('')
      const lines = text.split(/\r\n|\n|\r/)
      if (lines.at(-1) === '') lines.pop()
      expect(split(Buffer.from(text), cuts)).toEqual(lines)
    }),
  )
})

it('keeps U+2028 inside a line, which JSON may hold', () => {
  expect(split(Buffer.from('{"text":"a\u2028b"}\n'), [])).toEqual(['{"text":"a\u2028b"}'])
})

it('splits a line without an end', () => {
  expect(split(Buffer.from('abcdefgh\nij'), [5], 3)).toEqual(['abc', 'defgh', 'ij'])
})
