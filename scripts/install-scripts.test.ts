import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { INSTALL, root } from './lib/setup.mjs'

it('installs without the install scripts of packages, then runs those of the named ones alone', () => {
  const [install, rebuild] = INSTALL
  expect(install!.slice(0, 2)).toEqual(['ci', '--ignore-scripts'])
  const { allowScripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> }
  const named = rebuild!.slice(1).filter((one) => !one.startsWith('--'))
  expect(rebuild![0]).toBe('rebuild')
  expect(named).toEqual(Object.keys(allowScripts).filter((name) => allowScripts[name]))
  expect(named).not.toEqual([]) // without a name npm would rebuild every package
})

it('is how the tests are set up too', () => {
  const setup = fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8')
  expect(setup).toContain('INSTALL')
  expect(setup).not.toMatch(/^\s*npm (ci|install)\b/m)
})
