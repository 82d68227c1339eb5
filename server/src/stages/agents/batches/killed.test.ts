import { describe, expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { useOwnServer } from '#server/testing/use.ts'

const own = useOwnServer()

describe.skipIf(findBubblewrap() === null)('a server that is killed in the middle of a batch', () => {
  it('goes on at its next start: ended attempts stay, the interrupted one goes on, the others begin, and the user can repeat what is owed', async () => {
    let isBack = false
    const begun: string[] = []
    const stub = await startStub(({ body }) => {
      const [, prompt = ''] = body.messages.map(({ content }) => content)
      const task = /task (\w+)/.exec(prompt)![1]!
      if (body.messages.some(({ role }) => role === 'assistant')) return isBack || task !== 'second' ? { text: 'exit 0' } : 'hang'
      begun.push(task)
      if (task === 'fourth' && begun.filter((one) => one === 'fourth').length === 1)
        return { status: 401, json: { error: { message: 'no' } } }
      return { text: `echo ${task} > made` }
    })
    try {
      const { id } = await own.server.client.createBatch({
        body: {
          tasks: ['first', 'second', 'third', 'fourth'].map((key) => ({ key, prompt: `This is task ${key}.`, verify: 'test -e made' })),
          settings: { agent: 'shell', endpoint: { kind: 'url', dialect: 'openai', baseUrl: stub.url }, model: 'some' },
          concurrency: 1,
        },
      })
      const batch = () => own.server.client.getBatch({ params: { id }, query: {} })
      const runs = async () => (await own.server.client.listTasks({ query: { batchId: id } })).items.map((run) => run.id)
      await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(4)
      expect((await batch()).counts).toMatchObject({ passed: 1, running: 1, waiting: 2 })
      const before = await runs()

      await own.server.end('SIGKILL')
      isBack = true
      await own.restart()
      await expect.poll(async () => (await batch()).state, { timeout: 60_000 }).toBe('done')
      expect((await batch()).counts).toMatchObject({ passed: 3, owed: 1 })
      expect(begun).toEqual(['first', 'second', 'third', 'fourth'])
      expect((await runs()).slice(-2)).toEqual(before)

      await own.server.client.retryBatch({ params: { id }, body: {} })
      await expect.poll(async () => (await batch()).state, { timeout: 60_000 }).toBe('done')
      expect((await batch()).counts).toMatchObject({ total: 4, passed: 4, owed: 0 })
      expect(begun).toEqual(['first', 'second', 'third', 'fourth', 'fourth'])
    } finally {
      await stub.close()
    }
  })
})
