import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { processes } from '#server/process/marks.ts'
import { type OwnServer, startOwnServer } from '#server/testing/own-server.ts'

let root: string
let server: OwnServer
beforeEach(async () => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-killed-'))
  server = await startOwnServer(root)
})
afterEach(async () => {
  await server.end()
  fs.rmSync(root, { recursive: true, force: true })
})

describe.skipIf(findBubblewrap() === null)('a server that is killed while agents are at work', () => {
  it('says at its next start that the run has failed through no fault of its own, and begins the one that waited', async () => {
    const mark = `97${process.pid}`
    const sleeping = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
    const stub = await startStub(({ body }) => ({ text: body.messages.at(-1)?.content === 'Sleep.' ? `sleep ${mark}` : 'exit 0' }))
    const create = (prompt: string) =>
      server.client.createTask({
        body: { prompt, agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'some' },
      })
    const state = async (id: string) => server.client.getTask({ params: { id } })
    try {
      await server.client.patchSettings({ body: { arena: { running: 1 } } })
      const one = await create('Sleep.')
      const two = await create('Leave.')
      await expect.poll(sleeping, { timeout: 60_000 }).toHaveLength(1)
      expect(await state(two.id)).toMatchObject({ state: 'queued', queuePosition: 1 })

      await server.end('SIGKILL')
      await expect.poll(sleeping).toEqual([])
      server = await startOwnServer(root)
      expect(await state(one.id)).toMatchObject({ state: 'failed', error: { boundary: 'ours' } })
      await expect.poll(async () => (await state(two.id)).state, { timeout: 60_000 }).toBe('unverified')
    } finally {
      await stub.close()
    }
  })
})
