import { expect, test } from 'vitest'
import { createLineReader, matches, withLines } from './log-lines.ts'

const line = (text: string) => ({ at: null, stream: 'log', level: 'info', text }) as const

test('new lines continue the numbers, and only the newest lines are kept', () => {
  const oldLines = [{ ...line('a'), n: 7 }]
  expect(withLines(oldLines, [line('b'), line('c')])).toMatchObject([{ n: 7 }, { n: 8 }, { n: 9, text: 'c' }])
  const many = withLines(
    oldLines,
    Array.from({ length: 5000 }, () => line('x')),
  )
  expect([many.length, many.at(-1)?.n]).toEqual([2000, 5007])
})
test('bytes are split into lines even if a chunk ends within a character', () => {
  const read = createLineReader()
  const bytes = new TextEncoder().encode('für\nzwei\nrest')
  expect([...bytes].flatMap((byte) => read(Uint8Array.of(byte)))).toEqual(['für', 'zwei'])
  expect(read(new TextEncoder().encode('!\n'))).toEqual(['rest!'])
})
test('a new line matches a search as on the server', () => {
  expect([matches('Step DONE', 'done'), matches('ÄB', 'äb'), matches('100%', '0%'), matches('abc', 'x')]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
