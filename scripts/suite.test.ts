import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { playwright, runSuite, vitest } from './lib/suite.mjs'

const fixture = path.join(import.meta.dirname, 'fixtures', 'retry')
let out: string
beforeEach(() => (out = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-retry-'))))
afterEach(() => fs.rmSync(out, { recursive: true, force: true }))

/** Runs a fixture file as `npm test` would, in processes that are separate from this test run. */
async function ran(suite: object, file: string, retry = true, more: NodeJS.ProcessEnv = {}) {
  const env = Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(VITEST|TEST|NODE_ENV|NODE_OPTIONS)/.test(name)))
  const fixtureEnv = { RETRY_CASE: file, RETRY_STATE: fs.mkdtempSync(path.join(out, 'state-')), RETRY_OUTPUT: path.join(out, 'files') }
  return runSuite(suite, {
    out: fs.mkdtempSync(path.join(out, 'reports-')),
    cwd: fixture,
    env: { ...env, ...fixtureEnv, ...more },
    live: false,
    retry,
  })
}
const unit = () => vitest('unit', '--config', path.join(fixture, 'vitest.config.mjs'))
const web = () => playwright('web', path.join(fixture, 'playwright.config.mjs'))

describe('a suite in CI', () => {
  it('runs a failed test once more by itself, and reports it as flaky when it passes', async () => {
    const result = await ran(unit(), 'flaky')
    expect(result).toMatchObject({ passed: 3, failed: 0, skipped: 0, faults: [] })
    expect(result.times).toEqual([{ file: path.join(fixture, 'flaky.case.mjs'), ms: expect.any(Number) }])
    expect(result.flaky).toHaveLength(1)
    expect(result.flaky[0]).toMatch(
      /^unit: .*flaky\.case\.mjs > in a group loses a race \(1 of 2\)\n[^]*expected true to be false[^]*\n {2}- false\n {2}\+ true/,
    )
  })

  it('does the same for Playwright, also for two tests on the same line', async () => {
    const result = await ran(web(), 'flaky')
    expect(result).toMatchObject({ passed: 3, failed: 0, faults: [] })
    expect(result.times).toEqual([{ file: path.join(fixture, 'flaky.pw.mjs'), ms: expect.any(Number) }])
    expect(result.flaky.map((text) => text.split('\n')[0])).toEqual([
      'web: flaky.pw.mjs:5 loses a race [size 1]',
      'web: flaky.pw.mjs:5 loses a race [size 2]',
    ])
  })

  it('fails when a test fails twice', async () => {
    const result = await ran(unit(), 'broken')
    expect(result).toMatchObject({ passed: 1, failed: 1 })
    expect(result.faults[0]).toContain('fails always')
    expect(result.flaky).toHaveLength(1)
  })

  it('runs a file that failed outside a test once more by itself: a hook, an uncaught error, a file that did not load', async () => {
    const hook = await ran(unit(), 'hook')
    expect(hook).toMatchObject({ passed: 2, failed: 0, faults: [] })
    expect(hook.flaky.map((text) => text.split('\n')[0])).toEqual([
      `unit: ${path.join(fixture, 'hook.case.mjs')}`,
      expect.stringMatching(/hook\.case\.mjs > loses a race$/),
    ])
    expect(hook.flaky[0]).toContain('something was left behind')
    const uncaught = await ran(unit(), 'uncaught')
    expect(uncaught).toMatchObject({ passed: 1, failed: 0, faults: [] })
    expect(uncaught.flaky.join('\n')).toContain('nobody caught this')
    expect(await ran(unit(), 'unloadable')).toMatchObject({ failed: 0, flaky: [expect.stringContaining('does not load')] })
  })

  it('fails when it fails outside a test twice, or without a report', async () => {
    const broken = { RETRY_ALWAYS: '1' }
    for (const [file, why] of [
      ['hook', 'something was left behind'],
      ['uncaught', 'nobody caught this'],
      ['unloadable', 'does not load'],
    ] as const) {
      const { failed, faults } = await ran(unit(), file, true, broken)
      expect(failed).toBeGreaterThan(0)
      expect(faults.join('\n')).toContain(why)
    }
    const crash = { name: 'crash', command: process.execPath, args: ['-e', 'console.log("last words"); process.exit(7)'] }
    expect(await ran(crash, 'none')).toMatchObject({ passed: 0, failed: 1, faults: [expect.stringContaining('last words')] })
  })

  it('runs a test that was skipped because another test failed, and fails when it fails', async () => {
    const result = await ran(web(), 'serial')
    expect(result.failed).toBe(1)
    expect(result.faults[0]).toContain('was kept from running')
  })
})

it('a suite outside CI does not run failed tests again', async () => {
  expect(await ran(unit(), 'flaky', false)).toMatchObject({ passed: 2, failed: 1, flaky: [] })
})
