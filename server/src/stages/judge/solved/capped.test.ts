import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Exam } from '#contracts/entities/exam.ts'
import { findBubblewrap } from '#server/adapters/bubblewrap/index.ts'
import { useFolder } from '#server/testing/folders.ts'
import { useServer, useStub } from '#server/testing/use.ts'
import { done, endpoint, ended, importedFrom } from '../exam/testing-exam.ts'
import { repositoryOf, solveInShell, TWO_FAULTS, writeWork } from './testing-solved.ts'

const KEY = 'sk-ant-api03-aaaaaaaaaaaaaaaaaaaaaaaa'
const PAID = 'claude-haiku-4-5-20251001'

describe.skipIf(findBubblewrap() === null)('the cost limit of an exam of solved tasks', () => {
  const root = useFolder()
  /** Ten cents for each answer of the paid model. */
  const stub = useStub(({ body }) => ({
    text: body.messages.some(({ role }) => role === 'assistant') ? 'exit 0' : solveInShell,
    usage: { input: 100_000, output: 0 },
  }))
  const server = useServer(() => ({
    providers: { augmentation: null, nimEndpoint: null, anthropicBaseUrl: stub.url, keys: { anthropic: KEY, nim: null } },
  }))

  it('leaves the rest not run, gives no verdict on what it cut, and goes on with a higher one', async () => {
    const { client } = server
    const sessions = fs.mkdtempSync(path.join(root, 's-'))
    const cwd = repositoryOf(root, TWO_FAULTS.files)
    writeWork(sessions, { cwd, prompt: 'Mend both functions', calls: TWO_FAULTS.calls(cwd) })
    const traceIds = await importedFrom(client, sessions)
    const exam = await done<Exam>(client, await client.makeExam({ body: { kind: 'solved_tasks', traceIds, repeats: 1, undo: 'never' } }))
    const model = { kind: 'provider', provider: 'anthropic', model: PAID } as const
    const body = { model, against: endpoint(stub, 'free'), attempts: 2, maxCostUsd: 0.3 }
    const capped = await ended(client, await client.startExamRun({ params: { id: exam.id }, body }))
    expect(capped).toMatchObject({
      state: 'paused',
      detail: 'Its runs used up the cost limit of $0.3; the rest is not run. Resume it with a higher limit.',
      counts: { model: { fail: 0, error: 0, timeout_with_verdict: 0, not_run: 1 }, base: { not_run: 1 } },
      owed: 1,
    })
    expect(capped.costUsd).toBeCloseTo(0.3, 3)
    const params = { id: exam.id, run: capped.id }
    const [cut] = (await client.listExamItems({ params, query: { only: 'owed' } })).items
    const runs = [{ state: 'pass' }, { state: 'not_run', detail: 'The cost limit ended it.' }]
    expect(cut!.model).toMatchObject({ state: 'not_run', score: null, runs })

    const asked = stub.received.length
    const rest = await ended(client, await client.resumeExamRun({ params, body: { maxCostUsd: 1 } }))
    expect(rest).toMatchObject({ state: 'completed', owed: 0, counts: { model: { pass: 1 }, base: { pass: 1 } } })
    expect(stub.received.slice(asked).map(({ body: { model: who } }) => who)).toEqual([PAID, PAID, 'free', 'free'])
    expect(rest.costUsd).toBeCloseTo(0.5, 3)
  }, 300_000)
})
