import path from 'node:path'
import { expect, it } from 'vitest'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { newFolder } from '#server/testing/folders.ts'
import { startOwnServer } from '#server/testing/own-server.ts'
import { done, importedFrom } from '../exam/testing-exam.ts'
import { repositoryOf, TWO_FAULTS, writeWork } from './testing-solved.ts'

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
