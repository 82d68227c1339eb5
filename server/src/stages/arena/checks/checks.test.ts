import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { CheckReport } from '#contracts/entities/check.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'

const PASSING = { 'a.test.js': "require('node:test')('fine', () => {})" }
const FAILING = { 'b.test.js': "require('node:test')('bad', () => { throw new Error('no') })" }
const node = (files: Record<string, string>) => ({ 'package.json': '{"scripts":{"test":"node --test"}}', ...files })
const python = (body: string) => ({ 'test_a.py': `import unittest\nclass T(unittest.TestCase):\n${body}\n` })
const make = (line: string) => ({ Makefile: `test:\n\t@${line}\n` })

type Wanted = Partial<CheckReport>
/** Small projects, by what they show; each with what its checks must say. */
const PROJECTS: [string, Record<string, string>, Wanted][] = [
  ['tests of Node that pass', node(PASSING), { status: 'passed', runner: 'node', passed: 1, total: 1, exitCode: 0 }],
  ['tests of Node, one of which fails', node({ ...PASSING, ...FAILING }), { status: 'failed', passed: 1, failed: 1, total: 2 }],
  ['tests of Node that are all skipped', node({ 'a.test.js': "require('node:test')('x', { skip: true }, () => {})" }), { status: 'none', skipped: 1 }],
  ['a runner that is killed', node({ 'a.test.js': "process.kill(process.ppid, 'SIGKILL')" }), { status: 'error' }],
  ['a script that is not there', { 'package.json': '{"scripts":{"test":"no-such-runner"}}' }, { status: 'error', runner: 'npm', exitCode: 127 }],
  ['unittest that passes', python('  def test_a(self): pass'), { status: 'passed', runner: 'unittest', passed: 1, total: 1 }],
  ['unittest that fails', python('  def test_a(self): self.fail()'), { status: 'failed', failed: 1 }],
  ['unittest with a file that cannot be read', { ...python('  def test_a(self): pass'), 'test_b.py': 'import unittest\nimport no_such' }, { status: 'error', passed: 1 }],
  ['unittest that leaves early with 0', python('  def test_a(self):\n    import os; os._exit(0)'), { status: 'error', exitCode: 0 }],
  ['unittest without a test', python('  pass'), { status: 'none' }],
  ['make that passes', make('true'), { status: 'passed', runner: 'make', total: null }],
  ['make that fails', make('exit 3'), { status: 'failed', exitCode: 2 }],
  ['a verify script, with a link and a program of its own', { 'verify.sh': './own && cat link', own: '#!/bin/sh\nexit 0\n' }, { status: 'passed', runner: 'verify.sh' }],
  ['nothing', { 'README.md': 'hello' }, { status: 'none', runner: null, isolation: null }],
] // prettier-ignore

describe.skipIf(findBubblewrap() === null)('the checks of a project', () => {
  const root = fs.mkdtempSync(path.join(os.tmpdir(), 'checks-'))
  let server: TestServer
  beforeAll(async () => {
    server = await startTestServer()
  })
  afterAll(async () => {
    await server.close()
    fs.rmSync(root, { recursive: true })
  })

  const project = (files: Record<string, string>): string => {
    const folder = fs.mkdtempSync(path.join(root, 'p-'))
    for (const [name, text] of Object.entries(files))
      fs.writeFileSync(path.join(folder, name), text, { mode: name === 'own' ? 0o755 : 0o644 })
    fs.symlinkSync('README.md', path.join(folder, 'link'))
    if (!('README.md' in files)) fs.writeFileSync(path.join(folder, 'README.md'), 'x')
    return folder
  }
  const check = async (directory: string, more: { command?: string; timeoutSec?: number } = {}): Promise<CheckReport> => {
    const { id } = await server.client.runChecks({ body: { directory, ...more } })
    const job = await server.app.core.jobs.wait(id)
    expect(job.error).toBeNull()
    return job.result as CheckReport
  }

  it.each(PROJECTS)('say of %s what is so', async (_name, files, wanted) => {
    const folder = project(files)
    const before = fs.readdirSync(folder)
    expect(await check(folder)).toMatchObject(wanted)
    expect(fs.readdirSync(folder)).toEqual(before) // a copy was checked
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
  })

  it('run a command of the caller, stop what does not end, and reach neither the network nor this machine', async () => {
    const folder = project(node(PASSING))
    expect(await check(folder, { command: 'sleep 1000', timeoutSec: 1 })).toMatchObject({
      status: 'error',
      reason: expect.stringContaining('1 s') as string,
      others: [{ runner: 'node' }],
    })
    const outside = path.join(root, 'outside')
    fs.writeFileSync(outside, 'kept')
    const command = `cat ${outside}; echo changed > ${outside}; ls ${root}; getent hosts localhost.invalid; exit 0`
    const { status, outputTail } = await check(folder, { command })
    expect(status).toBe('passed')
    expect(outputTail).not.toContain('kept')
    expect(fs.readFileSync(outside, 'utf8')).toBe('kept')
  })

  it('can be cancelled, and leave nothing', async () => {
    const { id } = await server.client.runChecks({ body: { directory: project(make('echo begun; sleep 1000')) } })
    await expect.poll(async () => (await server.client.listSandboxes({ query: {} })).items[0]?.busy, { timeout: 30_000 }).toBe(true)
    await server.client.cancelJob({ params: { id }, body: {} })
    expect(await server.app.core.jobs.wait(id)).toMatchObject({ state: 'cancelled' })
    expect((await server.client.listSandboxes({ query: {} })).items).toEqual([])
  })

  it('refuse what is no folder of a project', async () => {
    const refused = (directory: string) =>
      expect(server.client.runChecks({ body: { directory } })).rejects.toMatchObject({ code: 'invalid_request' })
    await refused(path.join(root, 'none'))
    await refused('/')
    fs.writeFileSync(path.join(root, 'file'), '')
    await refused(path.join(root, 'file'))
    await refused('relative')
    expect(server.misfits).toEqual([])
  })
})
