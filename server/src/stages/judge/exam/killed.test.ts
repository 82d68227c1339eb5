import { expect, it } from 'vitest'
import { newFolder } from '#server/testing/folders.ts'
import { startOwnServer } from '#server/testing/own-server.ts'
import { askedFor, ended, endpoint, importSessions, makeExam, scripted, startScripted } from './testing-exam.ts'

it('a server that is killed in the middle of a run goes on by itself, and asks each item once', async () => {
  let isBack = false
  const answered: string[] = []
  const stub = await startScripted((request) => {
    if (answered.length >= 9 && !isBack) return 'hang'
    answered.push(`${request.body.model} ${JSON.stringify(askedFor(request))}`)
    return scripted(request)
  })
  const root = newFolder()
  let server = await startOwnServer(root)
  try {
    const exam = await makeExam(server.client, await importSessions(server.client, newFolder(), 0, 2))
    const run = await server.client.startExamRun({
      params: { id: exam.id },
      body: { model: endpoint(stub, 'better'), against: endpoint(stub, 'base') },
    })
    await expect.poll(() => stub.received.length, { timeout: 60_000 }).toBe(10)
    await server.end('SIGKILL')
    isBack = true
    server = await startOwnServer(root)
    const found = await ended(server.client, run)
    expect(found).toMatchObject({ state: 'completed', owed: 0, items: 16 })
    expect(answered).toHaveLength(32)
    expect(new Set(answered).size).toBe(32)
  } finally {
    await server.end()
    await stub.close()
  }
}, 120_000)
