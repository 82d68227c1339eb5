import { expect, it } from 'vitest'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { newFolder } from '#server/testing/folders.ts'
import { startOwnServer } from '#server/testing/own-server.ts'
import { canonical, ended, promptOf, writeSets } from './testing-bench.ts'

it('a server that is killed in the middle of a run goes on by itself, and asks each item once', async () => {
  let isBack = false
  const answered: string[] = []
  const stub = await startStub((request) => {
    if (answered.length >= 7 && !isBack) return 'hang'
    answered.push(promptOf(request))
    return { text: canonical(request) }
  })
  const root = newFolder()
  const files = writeSets(newFolder())
  let server = await startOwnServer(root)
  try {
    const model = { kind: 'url' as const, baseUrl: stub.url, model: 'm' }
    const run = await server.client.runBenchmark({ body: { benchmark: 'gsm8k', model, files, own: true, parallel: 2 } })
    await expect.poll(() => stub.open.now, { timeout: 60_000 }).toBe(2)
    await expect.poll(async () => (await server.client.getBenchmarkRun({ params: { id: run.id } })).counts.pass).toBe(7)
    await server.end('SIGKILL')
    isBack = true
    server = await startOwnServer(root)
    expect(await ended(server.client, run)).toMatchObject({ state: 'done', owed: 0, value: 1 })
    expect(answered).toHaveLength(20)
    expect(new Set(answered).size).toBe(20)
  } finally {
    await server.end()
    await stub.close()
  }
}, 120_000)
