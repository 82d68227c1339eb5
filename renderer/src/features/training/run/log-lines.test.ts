import { expect, test } from 'vitest'
import type { RunLogLine } from '#contracts/entities/run.ts'
import { hasHole, withLines } from './log-lines.ts'

const line = (n: number): RunLogLine => ({ n, at: null, stream: 'log', level: 'info', text: `line ${n}` })

test('lines that came stand behind those that are known, none twice', () => {
  const known = [line(1), line(2)]
  expect(withLines(known, [line(2), line(3)]).map(({ n }) => n)).toEqual([1, 2, 3])
  expect(withLines(known, [line(1)])).toBe(known)
})
test('a hole between them is seen', () => {
  expect(hasHole([line(1)], [line(3)])).toBe(true)
  expect(hasHole([line(1)], [line(2)])).toBe(false)
  expect(hasHole([], [line(9)])).toBe(false)
})
