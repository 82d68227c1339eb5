import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { type Files, useChecks } from './testing-checks.ts'

const NODE: Files = {
  'package.json': '{"scripts":{"test":"node --test"}}',
  'sum.js': 'module.exports = (a, b) => a - b\n',
  'sum.test.js': "require('node:test')('adds', () => require('node:assert').equal(require('./sum.js')(1, 2), 3))\n",
}
const RIGHT = 'module.exports = (a, b) => a + b\n'
const GREEN = "require('node:test')('adds', () => {})\n"

describe.skipIf(findBubblewrap() === null)('a change is checked by the tests from before it', () => {
  const { folder, check } = useChecks()

  it('passes if the work passes, and lists new tests without counting them', async () => {
    const end = { ...NODE, 'sum.js': RIGHT, 'more.test.js': "require('node:test')('own', () => {})" }
    expect(await check(folder(NODE), end)).toMatchObject({
      status: 'passed',
      total: 1,
      changedChecks: [{ file: 'more.test.js', kind: 'test', change: 'added' }],
    })
  })

  it('ignores tests, scripts and packages of the change', async () => {
    const start = { ...NODE, 'node_modules/own/index.js': 'module.exports = 3', Makefile: 'test:\n\tfalse\n' }
    const end = {
      'sum.js': NODE['sum.js']!,
      'sum.test.js': GREEN,
      'node_modules/own/index.js': 'module.exports = 4',
      'package.json': '{"type":"commonjs","scripts":{"test":"true"}}',
    }
    const command = 'cat package.json sum.test.js node_modules/own/index.js; make test'
    const { status, outputTail, changedChecks } = await check(folder(start), end, command)
    expect(status).toBe('failed')
    expect(outputTail).toContain('node --test')
    expect(outputTail).toContain('"type": "commonjs"')
    expect(outputTail).toContain("equal(require('./sum.js')")
    expect(outputTail).toContain('module.exports = 3')
    expect(changedChecks).toEqual([
      { file: 'Makefile', kind: 'configuration', change: 'removed' },
      { file: 'package.json', kind: 'configuration', change: 'changed' },
      { file: 'sum.test.js', kind: 'test', change: 'changed' },
    ])
  })
})
