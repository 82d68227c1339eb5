import { expect, test } from 'vitest'
import { asKeys, inBrackets } from './paste.ts'

test('pasted text presses no keys: lines end like Enter, control characters are removed', () => {
  expect(asKeys('one\r\ntwo\n\tthree')).toBe('one\rtwo\r\tthree')
  expect(asKeys('a\x1b[201~b\x03c\x07d\x9be')).toBe('a[201~bcde')
  expect(inBrackets(asKeys('ls\n'))).toBe('\x1b[200~ls\r\x1b[201~')
})
