import fc from 'fast-check'
import { expect, it } from 'vitest'
import { marked } from './marked.ts'

const finding = (start: number, end: number) => ({ type: 'email', detector: 'email', start, end, confidence: 1, validated: false }) as const

it('cuts a text at its findings', () => {
  expect(marked('a b c', [finding(2, 3)]).map(({ text, finding: found }) => [text, found !== null])).toEqual([
    ['a ', false],
    ['b', true],
    [' c', false],
  ])
  expect(marked('abc', [])).toHaveLength(1)
  expect(marked('', [])).toHaveLength(0)
})

it('loses no sign of the text', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(40), { maxLength: 8 }), (text, cuts) => {
      const places = cuts.map((at) => Math.min(at, text.length)).toSorted((a, b) => a - b)
      const findings = places.slice(0, -1).flatMap((start, index) => (index % 2 === 0 ? [finding(start, places[index + 1] ?? start)] : []))
      expect(
        marked(text, findings)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})
