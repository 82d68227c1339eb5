import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'
import { makeProject, startStub, type Stub } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')
const why = client.skip !== false ? client.skip : findBubblewrap() === null ? 'there is no bubblewrap' : null
const KEY = 'sk-ant-api03-the-real-key-5d1f08c2'
const CHECKS = 'node calc.test.mjs'

interface Result {
  taskId: string
  status: string
  verification: { status: string; exitCode: number }
  diff: string
  traceId: string
  tokens: { input: number }
  costUsd: number
  removed: string[]
}

describe.skipIf(why !== null)(`bashgym task with Claude Code${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let workspace: Workspace
  let stub: Stub
  let project: string
  beforeEach(async () => {
    workspace = makeWorkspace()
    stub = await startStub()
    fs.writeFileSync(path.join(workspace.dir, '.gitconfig'), '[user]\n\tname = Dev\n\temail = dev@example.invalid\n')
    project = makeProject(workspace.dir, 'project')
  })
  afterEach(async () => {
    await stub.close()
    workspace.remove()
  })

  const run = (...args: string[]) =>
    bashgym(workspace, [...args, '--json'], {
      env: { ANTHROPIC_BASE_URL: stub.url, ANTHROPIC_API_KEY: KEY, CLAUDE_BIN: client.skip === false ? client.bin : '' },
    })
  const git = (...args: string[]) => execFileSync('git', ['-C', project, ...args], { encoding: 'utf8' })

  it('ends verified with a diff that can be applied and undone, and writes the key to no file', async () => {
    const ran = await run('task', 'SCENARIO=fix-test Fix the failing test.', '--repo', project, '--verify', CHECKS)
    expect([ran.code, ran.stderr]).toEqual([0, expect.stringContaining('verifying')])
    const result = ran.json() as Result
    expect(result).toMatchObject({ status: 'review', verification: { status: 'passed', exitCode: 0 }, exitCode: 0 })
    expect(result.diff).toContain('-  return a - b\n+  return a + b')
    expect(result.tokens.input).toBeGreaterThan(0)
    expect(result.costUsd).toBeGreaterThan(0)
    expect(stub.requests.length).toBeGreaterThan(5)
    expect(result.removed, 'all that it sends is needed but the ids of the user').toEqual(['metadata'])
    expect(git('status', '--porcelain')).toBe('') // changes are not applied unless the user asks

    const files = fs.readdirSync(workspace.dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const holding = files.map((entry) => path.join(entry.parentPath, entry.name)).filter((file) => fs.readFileSync(file).includes(KEY))
    expect(holding).toEqual([])
    const shown = (await run('show', result.traceId)).json()
    expect(shown).toMatchObject({ score: { verification: 'passed', verifiedBy: expect.stringContaining('checks') } })

    const { patch } = (await run('tasks', 'patch', result.taskId, '--file', 'calc.mjs')).json() as { patch: string }
    expect(patch.match(/^diff .*/gm)).toEqual(['diff --git a/calc.mjs b/calc.mjs'])
    expect(result.diff.endsWith(patch) && result.diff.length > patch.length).toBe(true)
    expect((await run('tasks', 'apply', result.taskId)).code).toBe(0)
    expect(fs.readFileSync(path.join(project, 'calc.mjs'), 'utf8')).toContain('a + b')
    expect((await run('tasks', 'undo', result.taskId)).code).toBe(0)
    expect(git('status', '--porcelain')).toBe('')
    expect((await run('tasks', 'branch', result.taskId, '--name', 'by-agent')).code).toBe(0)
    expect(git('show', 'by-agent:calc.mjs')).toContain('a + b')

    fs.writeFileSync(path.join(project, 'calc.mjs'), 'export const add = () => 7\n')
    const refused = await run('tasks', 'apply', result.taskId)
    expect(refused.json()).toMatchObject({ error: { code: 'hand_back_conflict', message: expect.stringContaining('calc.mjs') } })
    expect(git('status', '--porcelain')).toBe(' M calc.mjs\n')
  })
})
