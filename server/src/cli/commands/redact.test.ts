import fc from 'fast-check'
import { expect, it } from 'vitest'
import { toBytes, toText } from './redact.ts'

it('keeps every byte, UTF-8 or not', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (array) => {
      const bytes = Buffer.from(array)
      expect(toBytes(toText(bytes)).equals(bytes)).toBe(true)
    }),
    { numRuns: 2000 },
  )
})
