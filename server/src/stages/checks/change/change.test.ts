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

  it('is failed by a test that passed before, whatever failed before as well', async () => {
    const start = { ...NODE, 'old.test.js': "require('node:test')('fine', () => require('./fine.js'))", 'fine.js': '' }
    expect(await check(folder(start), { ...start, 'fine.js': 'throw 1' })).toMatchObject({
      status: 'failed',
      newFailures: ['fine'],
      knownFailures: ['adds'],
      before: { status: 'failed', passed: 1, failed: 1 },
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

  it('lists edited scripts and set-up files that the checks start with, two levels deep', async () => {
    const start: Files = {
      'package.json':
        '{"scripts":{"test":"bash run.sh && node --import=./hooks/first.mjs --test"},"jest":{"setupFiles":["<rootDir>/tools/jest.js"]}}',
      'run.sh': '. ./inc/more\n',
      'inc/more': 'true\n',
      'hooks/first.mjs': 'import "./second.mjs"\n',
      'hooks/second.mjs': '',
      'tools/jest.js': 'require("../src/work.js")\n',
      'vitest.config.ts': 'export default { test: { globalSetup: "./up/global.ts" } }\n',
      'up/global.ts': '',
      'conftest.py': 'pytest_plugins = ["plug.one"]\nimport work\n',
      'plug/one.py': '',
      'work.py': '',
      'src/work.js': '',
    }
    const end = Object.fromEntries(Object.entries(start).map(([name, text]) => [name, name === 'package.json' ? text : `${text}\n`]))
    const { changedChecks } = await check(folder(start), end, 'true')
    expect(changedChecks.map(({ file }) => file)).toEqual(Object.keys(start).filter((name) => !/^(?:package\.json|work\.py|src\/.*)$/.test(name)).toSorted()) // prettier-ignore
  })
})
