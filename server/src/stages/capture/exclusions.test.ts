import { expect, test } from 'vitest'
import { isExcluded } from './exclusions.ts'

test.each([
  ['/home/me/*', '/home/me/a/b', true],
  ['/home/me/*', '/home/you', false],
  ['*/secret/*', '/a/secret/b', true],
  ['/a*b', '/ab', true],
  ['/ab*b', '/ab', false],
  ['*a*b*', '/b/a', false],
  ['/a.*', '/ab', false],
  ['**/x', '/y/x', true],
  ['/work/*/out', '/work/a\nb/out', true],
])('entry %s excludes %s: %s', (entry, cwd, excluded) => expect(isExcluded(cwd, [entry])).toBe(excluded))

test('a pathological pattern is fast', () => {
  expect(isExcluded(`/${'a'.repeat(900)}`, [`${'*a'.repeat(20)}*b`])).toBe(false)
})
