import path from 'node:path'
import { expect, it } from 'vitest'
import { regexOfGlob } from './glob.ts'

const FILES = ['a.md', 'b.ts', '.hid', 'src/a.ts', 'src/x/b.test.ts', 'src/.h/c.ts', 'a b.txt', 'x+y.js', 'deep/er/a.md']

it.each([
  '*.md',
  '**/*.ts',
  '**',
  '**/*',
  'src/**',
  'src/*',
  '?.ts',
  '{a,b}.*',
  '**/*.{ts,md}',
  '[ab].*',
  '[!a].ts',
  '.*',
  '*/*',
  'src/**/b*',
  'x+y.js',
  '**/.h/*',
  'a b.txt',
  '{a',
  'a}',
  '*.{md,{ts,js}}',
  '{src,deep}/**/a.*',
])('%s finds what it finds elsewhere', (glob) => {
  const regex = new RegExp(`^${regexOfGlob(glob)}$`)
  expect(FILES.filter((file) => regex.test(file))).toEqual(FILES.filter((file) => path.posix.matchesGlob(file, glob)))
})
