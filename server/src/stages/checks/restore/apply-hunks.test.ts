import { expect, test } from 'vitest'
import { applyHunks } from './apply-hunks.ts'

const hunk = (oldStart: number, ...lines: string[]) => ({ oldStart, oldLines: 0, newStart: oldStart, newLines: 0, lines })

test('hunks are applied where they fit, also after the file has moved, and never where it is not sure', () => {
  expect(applyHunks('a\nb\nc\n', [hunk(2, '-b', '+B', '+B2'), hunk(3, ' c', '+d')])).toBe('a\nB\nB2\nc\nd\n')
  expect(applyHunks('new\na\nb\n', [hunk(1, ' a', '-b', '+B')])).toBe('new\na\nB\n')
  expect(applyHunks('x\nb\nb\n', [hunk(1, '-b', '+B')])).toBeNull()
  expect(applyHunks('a\n', [hunk(1, '-b', '+B')])).toBeNull()
  expect(applyHunks('', [hunk(0, '+a', '+b')])).toBe('a\nb\n')
  expect(applyHunks('', [hunk(1, '+a', '\\ No newline at end of file')])).toBe('a')
  expect(applyHunks('a\nb\n', [hunk(1, '+first')])).toBe('a\nfirst\nb\n')
})
