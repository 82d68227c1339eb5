import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseFilter } from '#contracts/filter.ts'
import { applyOffer, contextAt, offersFor, piecesOf, removePiece, setField, toggleValue, valuesOf, WORDS } from './query-text.ts'

describe('the pieces of a filter', () => {
  it('are terms and errors with their positions', () => {
    const text = 'tier:gold -tag:"needs work" teir:gold "free text"'
    expect(piecesOf(text).map(({ field, values, negated, error }) => [negated, field, values, error === null])).toEqual([
      [false, 'tier', ['gold'], true],
      [true, 'tag', ['needs work'], true],
      [false, 'teir', [], false],
      [false, null, ['free text'], true],
    ])
    for (const { raw, start, end } of piecesOf(text)) expect(text.slice(start, end)).toBe(raw)
  })

  it('accept any value of a facet and return it unchanged', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (value) => {
        expect(valuesOf(toggleValue('tier:gold', 'repo', value), 'repo')).toEqual([value])
        expect(toggleValue(toggleValue('tier:gold', 'repo', value), 'repo', value)).toBe('tier:gold')
      }),
    )
  })
})

describe('facets and bar share the text', () => {
  it('join the values of one field and remove them again', () => {
    const one = toggleValue('cost:>1', 'tier', 'gold')
    expect(one).toBe('cost:>1 tier:gold')
    const two = toggleValue(one, 'tier', 'silver')
    expect(two).toBe('cost:>1 tier:gold,silver')
    expect(valuesOf(two, 'tier')).toEqual(['gold', 'silver'])
    expect(toggleValue(toggleValue(two, 'tier', 'gold'), 'tier', 'silver')).toBe('cost:>1')
  })

  it('keep the position of a term and excluded values', () => {
    expect(setField('repo:api -repo:old "x y"', 'repo', ['web'])).toBe('repo:web -repo:old "x y"')
    expect(setField('age:<7d tier:gold', 'age', [])).toBe('tier:gold')
  })

  it('remove the term of a chip', () => {
    const text = 'tier:gold repo:api "x"'
    const [, repo] = piecesOf(text)
    expect(repo && removePiece(text, repo)).toBe('tier:gold "x"')
  })
})

describe('completion', () => {
  const known = {
    repo: [
      { value: 'api', count: 12 },
      { value: 'web app', count: 3 },
    ],
  }

  it('offers fields while a word is typed', () => {
    expect(offersFor(contextAt('ti', 2), known).map(({ text }) => text)).toEqual(['tier:'])
    expect(offersFor(contextAt('-to', 3), known).map(({ text }) => text)).toEqual(['-tool:', '-tokens:'])
  })

  it('offers values that occur, with their counts', () => {
    expect(offersFor(contextAt('repo:', 5), known).map(({ label, detail }) => [label, detail])).toEqual([
      ['api', '12'],
      ['web app', '3'],
    ])
    expect(offersFor(contextAt('repo:we', 7), known).map(({ text }) => text)).toEqual(['repo:"web app" '])
  })

  it('replaces the term at the caret, not the end of the text', () => {
    const text = 'repo:we tier:gold'
    const context = contextAt(text, 7)
    const [offer] = offersFor(context, known)
    expect(offer && applyOffer(text, context, offer)).toEqual({ text: 'repo:"web app" tier:gold', caret: 14 })
  })

  it('offers only valid terms', () => {
    for (const [field, { examples = [] } = {}] of Object.entries(WORDS))
      for (const example of examples) expect(parseFilter(`${field}:${example}`).errors, `${field}:${example}`).toEqual([])
  })
})
