import fs from 'node:fs'
import path from 'node:path'
import { expect, it } from 'vitest'
import { INSTALL, root } from './lib/setup.mjs'

it('installs without install scripts, then runs the install scripts of the named packages only', () => {
  const [install, rebuild] = INSTALL
  expect(install!.slice(0, 2)).toEqual(['ci', '--ignore-scripts'])
  const { allowScripts } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8')) as { allowScripts: Record<string, boolean> }
  const named = rebuild!.slice(1).filter((one) => !one.startsWith('--'))
  expect(rebuild![0]).toBe('rebuild')
  expect(named).toEqual(Object.keys(allowScripts).filter((name) => allowScripts[name]))
  expect(named).not.toEqual([]) // without names npm would rebuild every package
})

it('the test setup installs packages in the same way', () => {
  const setup = fs.readFileSync(path.join(root, '.ci', 'run'), 'utf8')
  expect(setup).toContain('INSTALL')
  expect(setup).not.toMatch(/^\s*npm (ci|install)\b/m)
})
