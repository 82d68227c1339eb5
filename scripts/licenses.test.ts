import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { expect, it } from 'vitest'

const root = path.resolve(import.meta.dirname, '..')
/** Licences that may be shipped. Never GPL, AGPL, EPL, "own terms" or none. */
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

it('ships only packages whose licence is on the list', () => {
  const text = execFileSync(
    process.execPath,
    [
      path.join(root, 'node_modules/license-checker-rseidelsohn/bin/license-checker-rseidelsohn.js'),
      '--production',
      '--json',
      '--excludePrivatePackages',
      '--start',
      root,
    ],
    { encoding: 'utf8', maxBuffer: 64e6 },
  )
  const packages = Object.entries(JSON.parse(text) as Record<string, { licenses: string | string[] }>)
  expect(packages.length).toBeGreaterThan(50)
  const isAllowed = (licence: string) =>
    licence
      .replaceAll(/[()*]/g, '')
      .split(/ OR /)
      .some((one) => one.split(/ AND /).every((part) => ALLOWED.has(part.trim())))
  expect(
    packages
      .filter(([, { licenses }]) => ![licenses].flat().every(isAllowed))
      .map(([name, { licenses }]) => `${name}: ${String(licenses)}`),
  ).toEqual([])
})
