import path from 'node:path'
import { expect, it } from 'vitest'
import { noticeOf, shippedPackages } from './lib/notices.mjs'

/** Licences that may be shipped. Do not add GPL, AGPL, EPL, custom terms or packages without a licence. */
const ALLOWED = new Set([
  'MIT',
  'Apache-2.0',
  'ISC',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'Unlicense',
  'BlueOak-1.0.0',
  '0BSD',
  'CC0-1.0',
  'Python-2.0',
])

const shipped = shippedPackages(path.resolve(import.meta.dirname, '..'))

it('ships only packages with an allowed licence, including those in the renderer bundle', () => {
  expect(shipped.map(({ name }) => name)).toEqual(expect.arrayContaining(['express', 'better-sqlite3', 'react', 'scheduler', 'radix-ui']))
  const isAllowed = (licence: string) =>
    licence
      .replaceAll(/[()*]/g, '')
      .split(/ OR /)
      .some((one) => one.split(/ AND /).every((part) => ALLOWED.has(part.trim())))
  expect(shipped.filter(({ licence }) => !isAllowed(licence)).map(({ name, licence }) => `${name}: ${licence}`)).toEqual([])
})

it('does not list packages that are only used to build and test', () => {
  const names = new Set(shipped.map(({ name }) => name))
  for (const tool of ['vite', 'vitest', 'electron-builder', 'playwright', 'typescript']) expect(names).not.toContain(tool)
})

it('lists every package with its version, its licence and the licence text', () => {
  const notice = noticeOf([
    { name: 'a', version: '1.0.0', licence: 'MIT', text: 'Copyright A\n' },
    { name: 'b', version: '2.0.0', licence: 'Unlicense', text: null },
  ])
  expect(notice).toContain('a 1.0.0\nLicence: MIT\n\nCopyright A')
  expect(notice).toContain('b 2.0.0\nLicence: Unlicense\n\nThe package carries no text of its licence.')
  expect(shipped.filter(({ text }) => text === null).length).toBeLessThan(shipped.length / 50)
})
