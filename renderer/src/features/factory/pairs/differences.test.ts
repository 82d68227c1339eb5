import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import { compareSides, linesOf } from './differences.ts'

const call = (old: string): ChatMessage => ({
  role: 'assistant',
  content: 'Mend it.',
  tool_calls: [{ id: 'c', type: 'function', function: { name: 'Edit', arguments: { file: 'a.ts', old, count: 2 } } }],
})

it('marks lines that only one side has', () => {
  const { chosen, rejected } = compareSides([call('one\ntwo')], [call('one\nthree')])
  const only = (lines: typeof chosen) => lines.filter((line) => line.isOnly).map(({ text }) => text.trim())
  expect([only(chosen), only(rejected)]).toEqual([['two'], ['three']])
  expect(linesOf([call('x')])).toEqual(['── assistant', 'Mend it.', 'call Edit', '  file: a.ts', '  old: x', '  count: 2'])
})

const message = fc.record({ role: fc.constant('assistant' as const), content: fc.string({ maxLength: 40 }) })

it('keeps every line of both sides, adds none, and marks nothing on equal sides', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 5 }), fc.array(message, { maxLength: 5 }), (a, b) => {
      const sides = compareSides(a, b)
      expect(sides.chosen.map(({ text }) => text)).toEqual(linesOf(a))
      expect(sides.rejected.map(({ text }) => text)).toEqual(linesOf(b))
      expect(compareSides(a, a).chosen.some(({ isOnly }) => isOnly)).toBe(false)
      const common = (lines: typeof sides.chosen) => lines.filter(({ isOnly }) => !isOnly).map(({ text }) => text)
      expect(common(sides.chosen)).toEqual(common(sides.rejected))
    }),
  )
})
