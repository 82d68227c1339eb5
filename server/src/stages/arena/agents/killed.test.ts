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

  it('counts a request that was open, with the most that it can use', async () => {
    const stub = await startStub(() => 'hang')
    try {
      const { id } = await own.server.client.createTask({
        body: {
          prompt: 'Wait.',
          agent: 'shell',
          endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url },
          model: 'some',
          caps: { turns: 5, tokens: 5000, costUsd: null, timeSec: 60 },
        },
      })
      await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(1)
      await own.server.end('SIGKILL')
      await own.restart()
      const { state, charged } = await own.server.client.getTask({ params: { id } })
      expect([state, charged!.requests, charged!.input + charged!.output]).toEqual(['failed', 1, 5000])
      expect(stub.received[0]!.body.max_tokens).toBe(charged!.output)
    } finally {
      await stub.close()
    }
  })
})
