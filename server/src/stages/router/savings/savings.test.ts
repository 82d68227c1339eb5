import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { STUDENT_TOOLS } from '#contracts/router-words.ts'
import { newFolder } from '#server/testing/folders.ts'
import { runAgainst, useServer } from '#server/testing/use.ts'
import { done } from '../../judge/exam/testing-exam.ts'
import { addModel, addVerdict } from '../../loop/testing-sessions.ts'

const root = path.join(import.meta.dirname, '..', '..', '..', '..', '..')
const server = useServer()
const MODEL = 'm'.repeat(26)
const savings = (query: { limit?: string; cursor?: string } = {}) => server.client.getSavings({ query })
/** The student answers all items right in twenty sessions. */
const items = (right: number) => Array.from({ length: 20 }, (_, no) => ({ id: String(no), base: 0, candidate: no < right ? 1 : 0 }))

test('the tools of the gym agent are those that the mod registers it with', () => {
  const mod = fs.readFileSync(path.join(root, 'hooks', 'mod', 'register.ts'), 'utf8')
  expect(/const TOOLS = (\[.*\])/.exec(mod)?.[1]).toBe(`[${STUDENT_TOOLS.map((tool) => `'${tool}'`).join(', ')}]`)
})

test('nothing is computed without a proof; with one, recorded sessions say what their sub-agents would have saved', async () => {
  const { client, app } = server
  expect(await savings()).toEqual({
    proof: null,
    note: 'No model is chosen in Settings → Model in Claude Code.',
    sums: null,
    items: [],
    nextCursor: null,
    total: 0,
  })
  const sessions = path.join(newFolder(), 'projects')
  fs.cpSync(path.join(root, 'samples', 'claude-code'), sessions, { recursive: true })
  await done(client, await client.startImport({ body: { paths: [sessions] } }))
  addModel(app.core.db, MODEL, { datasetId: null }, 0)
  await client.patchSettings({ body: { router: { studentModel: MODEL } } })
  expect(await savings()).toMatchObject({ proof: null, sums: null, note: expect.stringContaining('Nothing is proven about') as unknown })
  addVerdict(app.core.db, MODEL, 'not_proven', 1, { items: items(20), sessions: 20, forms: { metric: 'solved_tasks.pass_rate' } })
  expect((await savings()).proof).toBeNull()

  addVerdict(app.core.db, MODEL, 'ship', 2, { items: items(18), sessions: 20, forms: { metric: 'solved_tasks.pass_rate' } })
  const found = await savings()
  expect(found.proof).toMatchObject({ name: `Model ${MODEL}`, kind: 'solved_tasks', passed: 18, share: { value: 0.9 }, pace: null })
  expect(found.sums).toMatchObject({
    sessions: 8,
    withSteps: 6,
    conversations: 6,
    steps: 30,
    unpriced: 1, // of a client that wrote placeholders instead of counts
    byKind: [
      { kind: 'subagent', conversations: 4, steps: 12 },
      { kind: 'one_turn', conversations: 2, steps: 18 },
    ],
    kept: [{ reason: 'main', conversations: 6 }],
    ms: null,
  })
  const recorded = found.items.find(({ at }) => at === '2026-11-21T04:43:59.336Z')!
  // three answers of 1200 new and 800 read tokens, and 80 written; a cold cache, and 2000 tokens read again by the main conversation
  const own = (3 * (1200 * 4 + 800 * 0.2 + 80 * 20)) / 1e6
  const again = (800 * (5 - 0.2) + 2000 * 0.2 + 80 * 20) / 1e6
  expect(recorded).toMatchObject({ kinds: ['subagent'], steps: 3, title: 'Please find out where add() is defined.', rereadUsd: 0 })
  expect(recorded.usd!.value).toBeCloseTo(0.9 * own - 0.1 * again, 9)
  expect(recorded.usd!.low).toBeLessThan(recorded.usd!.value)
  expect(found.items.filter(({ usd, costUsd }) => usd && usd.high > (costUsd ?? 0))).toEqual([])

  const first = await savings({ limit: '4' })
  const rest = await savings({ limit: '4', cursor: first.nextCursor! })
  expect([...first.items, ...rest.items]).toEqual(found.items)
  expect(rest.nextCursor).toBeNull()
  const { out } = await runAgainst(server, ['router', 'savings'])
  expect(out).toContain(
    'It may have taken 6 conversations with 30 steps in 6 of 8 sessions.\nThat would have saved $0.170 ($0.126 to $0.186)',
  )

  // a job that the model was asked for in vain was paid for at Claude, and is not counted as saved once more
  const job = found.items.find(({ kinds }) => kinds[0] === 'one_turn')!
  app.core.db.prepare('INSERT INTO route_tried (trace_id) VALUES (?)').run(job.traceId)
  const without = await savings()
  expect(without.items.map(({ traceId }) => traceId)).not.toContain(job.traceId)
  expect(without.sums!.kept).toContainEqual({ reason: 'tried', conversations: 1 })

  // single calls prove less: each answer of a conversation must have been right
  addVerdict(app.core.db, MODEL, 'ship', 3, { items: items(18), sessions: 20, forms: { metric: 'next_call.soft' } })
  const calls = (await savings()).items.find(({ traceId }) => traceId === recorded.traceId)!
  expect(calls.usd!.value).toBeCloseTo(0.9 ** 3 * own - (1 - 0.9 ** 3) * again, 9)
  expect(server.contractViolations).toEqual([])
})
