import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runsOf, textOf } from './runs.ts'

const token = fc.record({ id: fc.nat(), text: fc.string() })
const piece = fc.record({ trained: fc.boolean(), tokens: fc.array(token, { maxLength: 8 }) })

it('keeps every token in its order, and cuts exactly at the training length', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), fc.option(fc.nat(40)), (pieces, maxTokens) => {
      const runs = runsOf(pieces, maxTokens)
      const all = pieces.flatMap(({ tokens }) => tokens)
      expect(runs.flatMap(({ tokens }) => tokens)).toEqual(all)
      expect(runs.map(textOf).join('')).toBe(all.map(({ text }) => text).join(''))
      const kept = runs.filter(({ cut }) => !cut).reduce((sum, { tokens }) => sum + tokens.length, 0)
      expect(kept).toBe(maxTokens === null ? all.length : Math.min(all.length, maxTokens))
      const count = (list: readonly { trained: boolean; tokens: unknown[] }[]) =>
        list.filter(({ trained }) => trained).reduce((sum, { tokens }) => sum + tokens.length, 0)
      expect(count(runs)).toBe(count(pieces))
      expect(runs.every(({ tokens }) => tokens.length > 0)).toBe(true)
    }),
  )
})
