import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { startOwnServer } from '#server/testing/own-server.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { endpoint, importSessions } from '../exam/testing-exam.ts'
import { graded, prepare, rested } from './testing-answers.ts'

it('a server that is killed in the middle of grading goes on by itself, and asks nothing twice', async () => {
  let isBack = false
  const answered: string[] = []
  const stub = await startStub(({ raw }) => {
    if (answered.length >= 4 && !isBack) return 'hang'
    answered.push(raw)
    return graded(1)
  })
  const root = newFolder()
  let server = await startOwnServer(root)
  try {
    const traceIds = await importSessions(server.client, newFolder(), 0, 3)
    const { id, total } = await prepare(server.client, {
      source: { kind: 'sessions', traceIds },
      metrics: ['safety', 'coherence'],
      model: endpoint(stub, 'grader'),
    })
    await server.client.startAnswerRun({ params: { id }, body: {} })
    await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(5)
    await server.end('SIGKILL')
    isBack = true
    server = await startOwnServer(root)
    expect(await rested(server.client, id)).toMatchObject({ state: 'done', done: total, owed: 0, plan: { requests: 0 } })
    expect(total).toBe(2 + 2 * (3 + 1 + 1)) // self-test, and three repeats of the first session
    expect(answered).toHaveLength(total)
  } finally {
    await server.end()
    await stub.close()
  }
}, 120_000)
