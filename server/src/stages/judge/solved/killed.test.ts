import path from 'node:path'
import { expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { startOwnServer } from '#server/testing/own-server.ts'
import type { Exam } from '#contracts/entities/exam.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { done, ended, endpoint, importedFrom } from '../exam/testing-exam.ts'
import { repositoryOf, solveInShell, TWO_FAULTS, writeWork } from './testing-solved.ts'

it.skipIf(findBubblewrap() === null)(
  'a server that is killed while it proves tasks goes on with the sessions that are left, and proves none twice',
  async () => {
    const [root, work, sessions] = [newFolder(), newFolder(), newFolder()]
    for (const prompt of ['Mend both functions', 'Mend both functions once more']) {
      const cwd = repositoryOf(work, TWO_FAULTS.files)
      writeWork(sessions, { cwd, prompt, calls: TWO_FAULTS.calls(cwd) })
    }
    let server = await startOwnServer(root)
    try {
      const traceIds = await importedFrom(server.client, sessions)
      const job = await server.client.makeExam({ body: { kind: 'solved_tasks', traceIds, repeats: 1, undo: 'never' } })
      const id = job.subject!
      const exam = () => server.client.getExam({ params: { id } })
      await expect.poll(async () => (await exam()).items, { timeout: 120_000 }).toBe(1)
      const [first] = (await server.client.listExamTasks({ params: { id }, query: {} })).items
      await server.end('SIGKILL')
      server = await startOwnServer(root)
      expect(await exam()).toMatchObject({ state: 'interrupted', waiting: 1, items: 1 })
      await done(server.client, await server.client.resumeExam({ params: { id } }))
      expect(await exam()).toMatchObject({ state: 'ready', waiting: 0, items: 2, sessions: 2 })
      const { items } = await server.client.listExamTasks({ params: { id }, query: {} })
      expect(items[0]).toEqual(first)
      expect(new Set(items.map(({ folder }) => path.basename(folder))).size).toBe(2)
    } finally {
      await server.end()
    }
  },
  240_000,
)

it.skipIf(findBubblewrap() === null)(
  'a server that is killed while agents take an exam goes on by itself with what is owed, and does nothing twice',
  async () => {
    const [root, work, sessions] = [newFolder(), newFolder(), newFolder()]
    const cwd = repositoryOf(work, TWO_FAULTS.files)
    writeWork(sessions, { cwd, prompt: 'Mend both functions', calls: TWO_FAULTS.calls(cwd) })
    let isBack = false
    let hanging = 0
    const first: string[] = []
    const stub = await startStub(({ body }) => {
      const hasBegun = body.messages.some(({ role }) => role === 'assistant')
      if (!hasBegun) first.push(body.model)
      if (hasBegun && first.length === 2 && !isBack) {
        hanging += 1
        return 'hang'
      }
      return { text: hasBegun ? 'exit 0' : solveInShell }
    })
    let server = await startOwnServer(root)
    try {
      const traceIds = await importedFrom(server.client, sessions)
      const exam = await done<Exam>(
        server.client,
        await server.client.makeExam({ body: { kind: 'solved_tasks', traceIds, repeats: 1, undo: 'never' } }),
      )
      const run = await server.client.startExamRun({
        params: { id: exam.id },
        body: { model: endpoint(stub, 'one'), against: endpoint(stub, 'other') },
      })
      await expect.poll(() => hanging, { timeout: 120_000 }).toBe(1)
      await server.end('SIGKILL')
      isBack = true
      server = await startOwnServer(root)
      const found = await ended(server.client, run)
      expect(found).toMatchObject({ state: 'completed', owed: 0, items: 1, counts: { model: { pass: 1 }, base: { pass: 1 } } })
      expect(first.toSorted()).toEqual(['one', 'other'])
      const { items } = await server.client.listExamItems({ params: { id: exam.id, run: run.id }, query: {} })
      const tasks = items.flatMap(({ model, base }) => [...model.runs, ...base.runs]).map(({ taskId }) => taskId)
      expect(new Set(tasks).size).toBe(2)
      expect(new Set((await server.client.listTasks({ query: {} })).items.map(({ id }) => id))).toEqual(new Set(tasks))
    } finally {
      await server.end()
      await stub.close()
    }
  },
  240_000,
)
