import fc from 'fast-check'
import { expect, test } from 'vitest'
import { FILTER_FIELDS, formatFilter, HAS_VALUES, parseFilter } from './filter.ts'
import type { FilterTerm } from './filter.ts'

const strip = (terms: FilterTerm[]) => terms.map(({ start: _s, end: _e, ...rest }) => rest)
const value = (text: string) => parseFilter(text).terms[0]?.value

test('every kind of term is read', () => {
  const { terms, errors } = parseFilter('tier:gold,silver -tag:private exit:!0 cost:>0.5 tokens:>50k age:<7d "free text" word')
  expect(errors).toEqual([])
  expect(terms.map(({ field, negated }) => (negated ? `-${field}` : field))).toEqual([
    'tier', '-tag', 'exit', 'cost', 'tokens', 'age', 'text', 'text',
  ]) // prettier-ignore
  expect(terms[0]!.value).toEqual({ kind: 'any', values: ['gold', 'silver'], not: false })
  expect(terms[2]!.value).toEqual({ kind: 'any', values: ['0'], not: true })
  expect(terms[6]!.value).toEqual({ kind: 'text', text: 'free text', phrase: true })
})

test('numbers take suffixes and ranges, times take units', () => {
  expect(value('tokens:>=1.5M')).toEqual({ kind: 'range', low: 1_500_000, lowOpen: false, high: null, highOpen: false })
  expect(value('quality:0.4..0.75')).toEqual({ kind: 'range', low: 0.4, lowOpen: false, high: 0.75, highOpen: false })
  expect(value('duration:>10m')).toEqual({ kind: 'range', low: 600_000, lowOpen: true, high: null, highOpen: false })
})

test('one minus excludes; two are a flag, which is text', () => {
  const read = (text: string) =>
    parseFilter(text).terms.map(({ field, negated, value }) => [field, negated, (value as { text: string }).text])
  expect(read('--no-verify -word -"--amend" --tier:gold -- -')).toEqual([
    ['text', false, '--no-verify'],
    ['text', true, 'word'],
    ['text', true, '--amend'],
    ['text', false, '--tier:gold'],
    ['text', false, '--'],
    ['text', false, '-'],
  ])
})

test('quotes keep blanks and commas in a value', () => {
  expect(value('repo:"my app",api')).toEqual({ kind: 'any', values: ['my app', 'api'], not: false })
  expect(value('tag:"a,b"')).toEqual({ kind: 'any', values: ['a,b'], not: false })
})

test.each([
  ['tier:purple api', 0, 11, /Unknown tier value "purple"\. Values: gold, /],
  ['api cost:much', 4, 13, /not a number/],
  ['api nosuch:1', 4, 12, /Unknown field "nosuch"\. .*Fields: tier, /],
  ['teir:gold', 0, 9, /^Unknown field "teir"\. Did you mean tier\?$/],
  ['tier:glod', 0, 9, /^Unknown tier value "glod"\. Did you mean gold\?$/],
  ['tier:glod,purple', 0, 16, /^Unknown tier value "glod"\. Did you mean gold\? Unknown tier value "purple"\. Values: gold, /],
  ['day:x,2026,y', 0, 12, /^"x" is not a date\. "y" is not a date\. Examples/],
  ['age:<7', 0, 6, /unit/],
  ['tool:', 0, 5, /value after/],
  ['exit:x', 0, 6, /whole number/],
  ['cost:5..1', 0, 9, /more than/],
])('%s is marked where it is wrong, and the rest still counts', (text, start, end, message) => {
  const { errors } = parseFilter(text)
  expect(errors).toEqual([{ token: text.slice(start, end), start, end, message: expect.stringMatching(message) as string }])
})

test('any text is read without throwing, and its terms and errors lie in it one after the other', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...Array.from('ab:"\\,-!<>.1k \t'), 'tier:', 'cost:', 'é') }), (text) => {
      const { terms, errors } = parseFilter(text)
      let at = 0
      for (const { start, end } of [...terms, ...errors].toSorted((a, b) => a.start - b.start)) {
        expect(start).toBeGreaterThanOrEqual(at)
        expect(end).toBeGreaterThan(start)
        at = end
      }
      expect(at).toBeLessThanOrEqual(text.length)
    }),
  )
})

test('terms written as text and read again are the same terms', () => {
  const word = fc.string({ unit: fc.constantFrom(...Array.from('ab:"\\,-! é')), minLength: 1 }).filter((text) => text.trim() !== '')
  const bound = fc.integer({ min: 0, max: 1_000_000 })
  const term = fc.oneof(
    fc.record({ field: fc.constantFrom('repo' as const, 'tag' as const, 'tool' as const), value: fc.record({ kind: fc.constant('any' as const), values: fc.array(word, { minLength: 1, maxLength: 3 }), not: fc.constant(false) }) }),
    fc.record({ field: fc.constant('has' as const), value: fc.record({ kind: fc.constant('any' as const), values: fc.array(fc.constantFrom(...HAS_VALUES), { minLength: 1, maxLength: 3 }), not: fc.constant(false) }) }),
    fc.record({ field: fc.constantFrom('tokens' as const, 'duration' as const), value: bound.map((low) => ({ kind: 'range' as const, low: low * 1000, lowOpen: true, high: null, highOpen: false })) }),
    fc.record({ field: fc.constant('text' as const), value: word.map((text) => ({ kind: 'text' as const, text, phrase: true })) }),
  ) // prettier-ignore
  fc.assert(
    fc.property(fc.array(fc.tuple(term, fc.boolean())), (list) => {
      const terms = list.map(([one, negated]) => ({ ...one, negated, start: 0, end: 0 })) as FilterTerm[]
      const parsed = parseFilter(formatFilter(terms))
      expect(parsed.errors).toEqual([])
      expect(strip(parsed.terms)).toEqual(strip(terms))
    }),
  )
})

test('every field is lower case, as it is read', () => {
  expect(FILTER_FIELDS.filter((field) => !/^[a-z]+$/.test(field))).toEqual([])
})

test('a day has to be one', () => {
  for (const text of ['day:2026-11-21', 'day:2026', 'day:2026-11..2026-12', 'day:2026-11-01,2026-11-03'])
    expect(parseFilter(text).errors).toEqual([])
  for (const text of ['day:x', 'day:2026-13-01', 'day:2026-11-40', 'day:21.11.2026', 'day:2026-11-01..', 'day:2026..2027..2028'])
    expect(parseFilter(text).errors).toMatchObject([{ start: 0, message: expect.stringContaining('is not a date') as string }])
})

test('more than a hundred words and values are one error, at the first one too many', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => `w${index}`)
  expect(parseFilter(hundred.join(' '))).toMatchObject({ terms: { length: 100 }, errors: [] })
  expect(parseFilter(`repo:${hundred.join(',')}`).errors).toEqual([])
  const text = `${hundred.join(' ')} one more`
  expect(parseFilter(text)).toMatchObject({
    terms: { length: 100 },
    errors: [{ token: ' one more', end: text.length, message: 'A filter can have at most 100 words and values.' }],
  })
})
