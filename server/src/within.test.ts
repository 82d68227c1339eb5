import path from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { fileBelow, isWithin, placeBelow } from './within.ts'

const root = '/data/models'

it('makes a path from an id only where it stays directly below its folder', () => {
  expect(placeBelow(root, 'abc', 'README.md')).toBe('/data/models/abc/README.md')
  for (const name of ['', '.', '..', '../x', 'a/../../x', '/etc', 'a\\b', 'a\0b'])
    expect(() => placeBelow(root, name)).toThrow(/cannot be a file/)
  for (const file of ['../x', 'a/../../x', '/etc/passwd', 'a//b']) expect(() => fileBelow(root, file)).toThrow(/cannot be a file/)
})

it('never leaves the folder, whatever the name', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('..', '.', '/', '\\', '\0', 'a'))), (parts) => {
      let file: string
      try {
        file = fileBelow(root, parts.join(''))
      } catch {
        return
      }
      expect(isWithin(root, path.resolve(file)) && path.resolve(file) !== root).toBe(true)
    }),
  )
})
