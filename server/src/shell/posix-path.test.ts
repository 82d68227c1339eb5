import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import * as ours from './posix-path.ts'

it('reads paths as Node does, but for slashes alone and a name that is its suffix, where it does as the command', () => {
  const part = fc.constantFrom('', '.', '..', 'a', 'b.sh', '/', '//', '...', '.x')
  const text = fc.oneof(
    fc.array(part, { maxLength: 7 }).map((parts) => parts.join('/')),
    fc.array(part, { maxLength: 7 }).map((parts) => parts.join('')),
  )
  fc.assert(
    fc.property(text, fc.constantFrom(undefined, '.sh', 'a', 'b.sh', ''), (given, suffix) => {
      const isUsual = /[^/]/.test(given) && given !== suffix
      expect([given, isUsual && ours.basename(given, suffix)]).toEqual([given, isUsual && path.posix.basename(given, suffix)])
      expect([given, ours.dirname(given)]).toEqual([given, path.posix.dirname(given)])
      expect([given, ours.normalize(given)]).toEqual([given, path.posix.normalize(given)])
    }),
    { numRuns: 3000 },
  )
})
