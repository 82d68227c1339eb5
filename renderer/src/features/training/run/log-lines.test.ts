import { expect, test } from 'vitest'
import { createLineReader, matches, withLines } from './log-lines.ts'

const line = (text: string) => ({ at: null, stream: 'log', level: 'info', text }) as const

test('new lines are appended and numbered on; only the newest are kept', () => {
  const known = [{ ...line('a'), n: 7 }]
  expect(withLines(known, [line('b'), line('c')])).toMatchObject([{ n: 7 }, { n: 8 }, { n: 9, text: 'c' }])
  const many = withLines(
    known,
    Array.from({ length: 5000 }, () => line('x')),
  )
  expect([many.length, many.at(-1)?.n]).toEqual([2000, 5007])
})
test('bytes become lines wherever they are cut, also within a sign', () => {
  const read = createLineReader()
  const bytes = new TextEncoder().encode('für\nzwei\nrest')
  expect([...bytes].flatMap((byte) => read(Uint8Array.of(byte)))).toEqual(['für', 'zwei'])
  expect(read(new TextEncoder().encode('!\n'))).toEqual(['rest!'])
})
test('a new line is found as the server would find it', () => {
  expect([matches('Step DONE', 'done'), matches('ÄB', 'äb'), matches('100%', '0%'), matches('abc', 'x')]).toEqual([
    true,
    false,
    true,
    false,
  ])
})
