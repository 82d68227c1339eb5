import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Exam } from '#contracts/entities/exam.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { readHarborTask } from '#server/adapters/harbor/read.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { newFolder, useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { done, endpoint, ended, importedFrom } from '../exam/testing-exam.ts'
import { FLAKY, repositoryOf, TWO_FAULTS, writeWork } from './testing-solved.ts'

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
const SOLVE = `printf %s ${quoted(TWO_FAULTS.solved['sum.js'])} > sum.js`
/** What scripted models do, turn by turn. */
const SCRIPTS: Readonly<Record<string, string[]>> = {
  solver: [SOLVE, 'exit 0'],
  cheat: [
    `printf %s "require('node:test')('adds', () => {})" > sum.test.js; printf %s '{"scripts":{"test":"true"}}' > package.json; ls -a; git log --all`,
    'exit 0',
  ],
}

describe.skipIf(findBubblewrap() === null)('an exam of solved tasks', () => {
  const root = useFolder()
  const server = useServer()
  const outputs: string[] = []
  const stub = useStub(({ body }): Reply => {
    const answered = body.messages.filter(({ role }) => role === 'assistant').length
    for (const { role, content } of body.messages) if (role === 'user') outputs.push(content)
    return { text: SCRIPTS[body.model]?.[answered] ?? 'exit 0' }
  })
  const session = async (work: { cwd: string; prompt: string; calls: Parameters<typeof writeWork>[1]['calls'] }) => {
    const folder = newFolder()
    const id = writeWork(folder, work)
    await importedFrom(server.client, folder)
    const { items } = await server.client.listTraces({ query: { limit: '100' } })
    return items.find(({ sessionId }) => sessionId === id)!.id
  }
  const make = async (traceIds: string[], more: object = {}) =>
    done<Exam>(server.client, await server.client.makeExam({ body: { kind: 'solved_tasks', traceIds, repeats: 1, ...more } }))
  const run = async (exam: Exam, model: string, against: string, more: object = {}) => {
    const body = { model: endpoint(stub, model), against: endpoint(stub, against), ...more }
    return ended(server.client, await server.client.startExamRun({ params: { id: exam.id }, body }))
  }

  it('turns a session that mended two functions into a task and two parts, graded by tests that agents never see', async () => {
    const cwd = repositoryOf(root, TWO_FAULTS.files)
    const traceId = await session({ cwd, prompt: 'Mend both functions', calls: TWO_FAULTS.calls(cwd) })
    const gone = path.join(root, 'gone')
    fs.cpSync(cwd, gone, { recursive: true })
    const lost = await session({ cwd: gone, prompt: 'Mend both functions, again', calls: TWO_FAULTS.calls(gone) })
    fs.rmSync(gone, { recursive: true })
    const flaky = repositoryOf(root, FLAKY.files)
    const chance = await session({ cwd: flaky, prompt: 'Mend the sum', calls: FLAKY.calls(flaky) })

    const exam = await make([traceId, lost, chance])
    expect(exam).toMatchObject({ kind: 'solved_tasks', state: 'ready', considered: 3, waiting: 0, sessions: 1, items: 3 })
    expect(exam.leftOut).toEqual([
      { reason: 'flaky: its checks differ on the same files', count: 1 },
      { reason: 'its folder is gone from this machine', count: 1 },
    ])
    const { items: tasks } = await server.client.listExamTasks({ params: { id: exam.id }, query: {} })
    expect(tasks.map(({ undone, mustPass }) => [undone, mustPass])).toEqual([
      [null, ['adds', 'multiplies']],
      ['sum.js: lines 1–4', ['adds']],
      ['sum.js: lines 9–12', ['multiplies']],
    ])
    expect(tasks[0]).toMatchObject({ prompt: 'Mend both functions', files: ['sum.js'], hiddenFiles: ['sum.test.js'], mustStay: 1, proof: { base: true, red: true, gold: true, runs: 1 } }) // prettier-ignore
    expect(await readHarborTask(tasks[0]!.folder)).toMatchObject({ format: 'harbor', instruction: 'Mend both functions\n' })

    const found = await run(exam, 'solver', 'cheat')
    expect(found).toMatchObject({ state: 'completed', owed: 0, counts: { model: { pass: 3 }, base: { fail: 3 } } })
    expect(found.result).toMatchObject({ delta: 1, sessions: 1, verdict: 'not_proven', figures: { model: { soft: 1, argF1: null } } })
    const { items } = await server.client.listExamItems({ params: { id: exam.id, run: found.id }, query: {} })
    expect(outputs.join('\n')).not.toContain('multiplies')
    const { state, taskId } = items[0]!.base.runs[0]!
    expect(state).toBe('fail')
    expect(await server.client.getTask({ params: { id: taskId! } })).toMatchObject({ title: expect.stringMatching(/^Exam, task/) })
  }, 300_000)
})
