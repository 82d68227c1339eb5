import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { processes } from '#server/process/marks.ts'
import { useOwnServer } from '../testing-use.ts'

const own = useOwnServer()

describe.skipIf(findBubblewrap() === null)('a server that is killed while agents are running', () => {
  it('marks the active run as failed at its next start, and starts the queued one', async () => {
    const mark = `97${process.pid}`
    const sleeping = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
    const stub = await startStub(({ body }) => ({ text: body.messages.at(-1)?.content === 'Sleep.' ? `sleep ${mark}` : 'exit 0' }))
    const create = (prompt: string) =>
      own.server.client.createTask({
        body: { prompt, agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'some' },
      })
    const state = async (id: string) => own.server.client.getTask({ params: { id } })
    try {
      await own.server.client.patchSettings({ body: { arena: { running: 1 } } })
      const one = await create('Sleep.')
      const two = await create('Leave.')
      await expect.poll(sleeping, { timeout: 60_000 }).toHaveLength(1)
      expect(await state(two.id)).toMatchObject({ state: 'queued', queuePosition: 1 })

      await own.server.end('SIGKILL')
      await expect.poll(sleeping).toEqual([])
      await own.restart()
      expect(await state(one.id)).toMatchObject({ state: 'failed', error: { boundary: 'ours' } })
      await expect.poll(async () => (await state(two.id)).state, { timeout: 60_000 }).toBe('unverified')
    } finally {
      await stub.close()
    }
  })
})
