import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { kinOf, processes } from '#server/process/marks.ts'
import { useOwnServer } from '#server/testing/use.ts'

const own = useOwnServer()

describe.skipIf(findBubblewrap() === null)('a server that is killed while rollouts run', () => {
  it('continues by itself at its next start, without repeating ended episodes', async () => {
    let isBack = false
    const begun: number[] = []
    const stub = await startStub(({ body }) => {
      const { seed = -1 } = body as { seed?: number }
      if (body.messages.length <= 2) begun.push(seed)
      return seed >= 3 && !isBack ? 'hang' : { text: 'exit' }
    })
    try {
      const { id } = await own.server.client.createRollouts({
        body: {
          tasks: [{ task: 'Leave.', setup: [], check: 'true', difficulty: null }],
          endpoint: { kind: 'url', baseUrl: stub.url, model: 'some' },
          rolloutsPerTask: 5,
          concurrency: 1,
          seed: 0,
        },
      })
      const params = { id }
      await expect.poll(() => begun, { timeout: 60_000 }).toEqual([0, 1, 2, 3])
      const before = (await own.server.client.listEpisodes({ params, query: {} })).items
      expect(before).toHaveLength(3)

      await own.server.end('SIGKILL')
      isBack = true
      await own.restart()
      await expect.poll(async () => (await own.server.client.getRollouts({ params, query: {} })).state, { timeout: 60_000 }).toBe('done')
      const { items } = await own.server.client.listEpisodes({ params, query: {} })
      expect(items.map(({ status }) => status)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
      expect(items.slice(0, 3).map(({ startedAt }) => startedAt)).toEqual(before.map(({ startedAt }) => startedAt))
      expect(begun).toEqual([0, 1, 2, 3, 3, 4])
    } finally {
      await stub.close()
    }
  })

  it('has no result of an episode whose sandbox somebody else killed, and plays it again at Resume', async () => {
    const mark = `95${process.pid}`
    const sleeping = () => [...processes()].filter(({ argv }) => argv[0] === 'sleep' && argv[1] === mark)
    let isAgain = false
    const stub = await startStub(() => ({ text: isAgain ? 'exit' : `sleep ${mark}` }))
    try {
      const { id } = await own.server.client.createRollouts({
        body: {
          tasks: [{ task: 'Leave.', setup: [], check: 'true', difficulty: null }],
          endpoint: { kind: 'url', baseUrl: stub.url, model: 'some' },
          rolloutsPerTask: 2,
          concurrency: 2,
        },
      })
      const params = { id }
      const statuses = async () => {
        const { items } = await own.server.client.listEpisodes({ params, query: {} })
        return items.map(({ status, error }) => error?.boundary ?? status)
      }
      const isDone = async () =>
        await expect.poll(async () => (await own.server.client.getRollouts({ params, query: {} })).state, { timeout: 60_000 }).toBe('done')
      await expect.poll(sleeping, { timeout: 60_000 }).toHaveLength(2)
      const spawner = [...processes()].find(({ pid, argv }) => kinOf(pid)?.parent === own.server.pid && /spawner/.test(argv.join(' ')))
      process.kill(spawner!.pid, 'SIGKILL')
      await isDone()
      expect(await statuses()).toEqual(['engine', 'engine'])
      isAgain = true
      await own.server.client.resumeRollouts({ params })
      await isDone()
      expect(await statuses()).toEqual(['ok', 'ok'])
    } finally {
      await stub.close()
    }
  })
})
