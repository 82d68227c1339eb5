import fc from 'fast-check'
import { expect, it } from 'vitest'
import { splitAtFindings } from './split-at-findings.ts'

const finding = (start: number, end: number) => ({ type: 'email', detector: 'email', start, end, confidence: 1, validated: false }) as const

it('splits a text at its findings', () => {
  expect(splitAtFindings('a b c', [finding(2, 3)]).map(({ text, finding: match }) => [text, match !== null])).toEqual([
    ['a ', false],
    ['b', true],
    [' c', false],
  ])
  expect(splitAtFindings('abc', [])).toHaveLength(1)
  expect(splitAtFindings('', [])).toHaveLength(0)
})

it('keeps every character of the text', () => {
  fc.assert(
    fc.property(fc.string(), fc.array(fc.nat(40), { maxLength: 8 }), (text, cuts) => {
      const places = cuts.map((at) => Math.min(at, text.length)).toSorted((a, b) => a - b)
      const findings = places.slice(0, -1).flatMap((start, index) => (index % 2 === 0 ? [finding(start, places[index + 1] ?? start)] : []))
      expect(
        splitAtFindings(text, findings)
          .map((part) => part.text)
          .join(''),
      ).toBe(text)
    }),
  )
})
