import fs from 'node:fs'
import path from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Exam, ExamRun } from '#contracts/entities/exam.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { readHarborTask } from '#server/adapters/harbor/read.ts'
import type { Reply } from '#server/adapters/llm/testing-stub.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { done, endpoint, ended, importedFrom } from '../exam/testing-exam.ts'
import { type Call, FLAKY, ONLY_TESTS, repositoryOf, solveInShell, TWO_FAULTS, writeWork } from './testing-solved.ts'

/** What scripted models do, turn by turn. */
const SCRIPTS: Readonly<Record<string, string[]>> = {
  solver: [solveInShell, 'exit 0'],
  slow: [solveInShell, 'true', 'true', 'true'],
  cheat: [
    `printf %s "require('node:test')('adds', () => {})" > sum.test.js; printf %s '{"scripts":{"test":"true"}}' > package.json; ls -a; git log --all`,
    'exit 0',
  ],
}

describe.skipIf(findBubblewrap() === null)('an exam of solved tasks', () => {
  const root = useFolder()
  const server = useServer()
  const seen: string[] = []
  let isDown = false
  const stub = useStub(({ body }): Reply => {
    if (isDown && body.model === 'solver') return { status: 401 }
    for (const { role, content } of body.messages) if (role === 'user') seen.push(content)
    return { text: SCRIPTS[body.model]?.[body.messages.filter(({ role }) => role === 'assistant').length] ?? 'exit 0' }
  })
  const session = async (project: { files: Record<string, string>; calls: (folder: string) => Call[] }, prompt: string, isGone = false) => {
    const [folder, cwd] = [fs.mkdtempSync(path.join(root, 's-')), repositoryOf(root, project.files)]
    const id = writeWork(folder, { cwd, prompt, calls: project.calls(cwd) })
    await importedFrom(server.client, folder)
    if (isGone) fs.rmSync(cwd, { recursive: true })
    const { items } = await server.client.listTraces({ query: { limit: '100' } })
    return items.find(({ sessionId }) => sessionId === id)!.id
  }
  const run = async (model: string, against: string, more: object = {}) => {
    const body = { model: endpoint(stub, model), against: endpoint(stub, against), ...more }
    return ended(server.client, await server.client.startExamRun({ params: { id: exam.id }, body }))
  }
  const itemsOf = async ({ id: one }: Pick<ExamRun, 'id'>) =>
    (await server.client.listExamItems({ params: { id: exam.id, run: one }, query: {} })).items
  const tasksOf = async () => (await server.client.listExamTasks({ params: { id: exam.id }, query: {} })).items

  let exam: Exam
  let traceId: string
  beforeAll(async () => {
    traceId = await session(TWO_FAULTS, 'Mend both functions')
    const others = [
      await session(TWO_FAULTS, 'Mend both functions, again', true),
      await session(FLAKY, 'Mend the sum'),
      await session(ONLY_TESTS, 'Test the sum'),
    ]
    const job = await server.client.makeExam({ body: { kind: 'solved_tasks', traceIds: [traceId, ...others], repeats: 1 } })
    exam = await done<Exam>(server.client, job)
  }, 300_000)

  it('has a task for the session that can be done again, and one for each part of its change; it says why the others fell out', async () => {
    expect(exam).toMatchObject({ kind: 'solved_tasks', state: 'ready', considered: 4, waiting: 0, sessions: 1, items: 3 })
    expect(exam.leftOut).toEqual([
      { reason: 'flaky: its checks differ on the same files', count: 1 },
      { reason: 'it changed nothing but tests and configuration', count: 1 },
      { reason: 'its folder is gone from this machine', count: 1 },
    ])
    const { items: gone } = await server.client.listExamCandidates({ params: { id: exam.id }, query: { reason: exam.leftOut[2]!.reason } })
    expect(gone).toMatchObject([{ outcome: 'left_out', detail: expect.stringContaining(root) }])
    const [whole, ...parts] = await tasksOf()
    expect(whole).toMatchObject({
      prompt: 'Mend both functions',
      undone: null,
      files: ['sum.js'],
      hiddenFiles: ['sum.test.js'],
      mustPass: ['adds', 'multiplies'],
      mustStay: 1,
      proof: { base: true, red: true, gold: true, runs: 1 },
    })
    expect(parts.map(({ undone, mustPass }) => [undone, mustPass])).toEqual([
      ['sum.js: lines 1–4', ['adds']],
      ['sum.js: lines 9–12', ['multiplies']],
    ])
    expect(await readHarborTask(whole!.folder)).toMatchObject({
      format: 'harbor',
      instruction: 'Mend both functions\n',
      metadata: { session: traceId, held_out: true },
    })
    expect(fs.readdirSync(path.join(whole!.folder, 'tests', 'files'))).toEqual(['sum.test.js'])
  })

  it('asks what the user writes, which changes the hash of the exam', async () => {
    const [whole] = await tasksOf()
    const params = { id: exam.id, task: whole!.id }
    const prompt = 'Mend both functions, please'
    expect(await server.client.editExamTask({ params, body: { prompt } })).toMatchObject({
      prompt,
      isEdited: true,
      mustPass: whole!.mustPass,
    })
    expect(await tasksOf()).toMatchObject([{ prompt, isEdited: true }, { isEdited: false }, { isEdited: false }])
    expect((await readHarborTask(whole!.folder)).instruction).toBe(`${prompt}\n`)
    expect((await server.client.getExam({ params: { id: exam.id } })).hash).not.toBe(exam.hash)
    const unknown = { ...params, task: 'none' }
    await expect(server.client.editExamTask({ params: unknown, body: { prompt } })).rejects.toMatchObject({ code: 'not_found' })
  })

  it('keeps its sessions out of data sets, and loses a task only before its first run', async () => {
    const [, part, other] = await tasksOf()
    for (const { id: task } of [part!, other!]) await server.client.removeExamTask({ params: { id: exam.id, task } })
    expect(await server.client.getExam({ params: { id: exam.id } })).toMatchObject({ items: 1, hash: expect.not.stringMatching(exam.hash) })
    const plan = await server.client.planDataset({ body: { kind: 'sft', name: 'all', traceIds: [traceId], unverified: true } })
    expect(JSON.stringify(plan)).toContain('in an exam')
  })

  it('is solved by who does the work; who changes tests and their script scores 0, and sees neither hidden test nor later commit', async () => {
    const found = await run('solver', 'cheat')
    expect(found).toMatchObject({ state: 'completed', owed: 0, counts: { model: { pass: 1 }, base: { fail: 1 } } })
    expect(found.result).toMatchObject({ delta: 1, sessions: 1, verdict: 'not_proven', figures: { model: { soft: 1, argF1: null } } })
    const { base } = (await itemsOf(found))[0]!
    expect(base).toMatchObject({ score: 0, runs: [{ state: 'fail' }] })
    const task = await server.client.getTask({ params: { id: base.runs[0]!.taskId! } })
    expect(task.title).toMatch(/^Exam, task/)
    expect(seen.join('\n')).not.toContain('multiplies')
    await expect(server.client.removeExamTask({ params: { id: exam.id, task: (await tasksOf())[0]!.id } })).rejects.toMatchObject({
      code: 'exam_taken',
    })
    const plan = await server.client.planDataset({ body: { kind: 'sft', name: 'all', traceIds: [task.traceId!], unverified: true } })
    expect(JSON.stringify(plan)).toContain('in an exam')
  }, 300_000)

  it('gives a verdict on what a run at its limit left, and repeats both sides where a model did not answer', async () => {
    isDown = true
    const broken = await run('solver', 'slow', { turns: 2, attempts: 1 })
    expect(broken).toMatchObject({ state: 'completed', owed: 1, counts: { model: { error: 1 }, base: { timeout_with_verdict: 1 } } })
    expect(broken.result.verdict).toBe('refused')
    expect((await itemsOf(broken))[0]).toMatchObject({ base: { score: 1, runs: [{ state: 'timeout_with_verdict', passed: true }] } })
    isDown = false
    const asked = stub.received.length
    await server.client.repeatOwedExamItems({ params: { id: exam.id, run: broken.id } })
    expect(await ended(server.client, broken)).toMatchObject({ owed: 0, counts: { model: { pass: 1 }, base: { timeout_with_verdict: 1 } } })
    expect(stub.received.slice(asked).filter(({ body }) => body.model === 'slow')).toHaveLength(2)
  }, 300_000)

  it('loses the tasks of a session that is removed for ever, with their files', async () => {
    const { folder } = (await tasksOf())[0]!
    await server.client.forgetTrace({ params: { id: traceId } })
    expect(await server.client.getExam({ params: { id: exam.id } })).toMatchObject({ items: 0, sessions: 0, considered: 3 })
    expect(fs.readdirSync(path.dirname(folder))).toEqual([])
  })
})
