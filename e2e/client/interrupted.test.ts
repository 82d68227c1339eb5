import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Task } from '#contracts/entities/task.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { makeWorkspace, startServer, type Workspace } from '../support/server.ts'
import { makeProject, startStub, type Stub } from './driver/index.mjs'
import { clientOrSkip } from './installed.ts'

const client = await clientOrSkip('2.1.329')
const why = client.skip !== false ? client.skip : findBubblewrap() === null ? 'there is no bubblewrap' : null
/** A step of the scenario `fix-test` after the fix, counted from 0. */
const STEP = 6

describe.skipIf(why !== null)(`Claude Code whose server is killed${why === null ? '' : ` (skipped: ${why})`}`, () => {
  let workspace: Workspace
  let stub: Stub
  const reached = Promise.withResolvers<void>()
  const mayGoOn = Promise.withResolvers<void>()
  beforeEach(async () => {
    workspace = makeWorkspace()
    stub = await startStub({
      before({ step }) {
        if (step !== STEP) return Promise.resolve()
        reached.resolve()
        return mayGoOn.promise
      },
    })
  })
  afterEach(async () => {
    mayGoOn.resolve()
    await stub.close()
    workspace.remove()
  })

  it('goes on in the same session over the same files, and its work is checked at the end', async () => {
    fs.writeFileSync(path.join(workspace.dir, '.gitconfig'), '[user]\n\tname = Dev\n\temail = dev@example.invalid\n')
    const directory = makeProject(workspace.dir, 'project')
    const env = { ANTHROPIC_BASE_URL: stub.url, ANTHROPIC_API_KEY: 'sk-ant-of-nobody', CLAUDE_BIN: client.skip === false ? client.bin : '' }
    const first = await startServer(workspace, { env })
    const body = { prompt: 'SCENARIO=fix-test Fix the failing test.', directory, verify: 'node calc.test.mjs' }
    const { id } = await first.api<Task>('/api/tasks', { method: 'POST', body })
    await reached.promise
    await first.stop('SIGKILL')

    const second = await startServer(workspace, { env })
    try {
      const task = () => second.api<Task>(`/api/tasks/${id}`)
      const until = (isDone: (current: Task) => boolean) =>
        vi.waitFor(async () => expect(isDone(await task())).toBe(true), { timeout: 120_000, interval: 100 })
      expect((await task()).state).toBe('paused')
      await until(({ change, traceId }) => change?.files === 1 && traceId !== null)
      const before = stub.requests.length
      mayGoOn.resolve()
      await second.api(`/api/tasks/${id}/resume`, { method: 'POST' })
      await until(({ state }) => !['queued', 'preparing', 'working', 'waiting', 'verifying'].includes(state))
      expect(await task()).toMatchObject({ state: 'review', verification: { status: 'passed' } })
      const sessions = new Set(stub.requests.flatMap(({ scenario, session }) => (scenario === 'fix-test' ? [session] : [])))
      expect(sessions.size).toBe(1)
      expect(stub.requests[before]!.raw).toContain('You were interrupted')
    } finally {
      await second.stop()
    }
  })
})
