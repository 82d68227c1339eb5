import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { schema } from '#server/schema.ts'
import { resultOf } from '#server/testing/core.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { newFolder } from '#server/testing/folders.ts'
import { bash, transcriptOf } from '../testing-session.ts'

const SECRET = 'ghp_16C7e42F292c6912E7710c838347Ae178B4a'
let server: TestServer
let folder: string

const writeSession = (id: string, ...rest: [prompt: string, calls: Parameters<typeof transcriptOf>[2]]) =>
  fs.writeFileSync(path.join(folder, `${id}.jsonl`), transcriptOf(id, ...rest))
const ids = ['11111111-1111-4111-8111-111111111111', '22222222-2222-4222-8222-222222222222'] as const
const result = <T>(job: { id: string }) => resultOf<T>(server.app.core, job)
const find = async () => result(await server.client.findPairs({ body: { selection: { filter: {} } } }))

beforeEach(async () => {
  server = await startTestServer()
  folder = newFolder()
  writeSession(ids[0], 'Mend the login of the admin page', [
    bash('npm test --colour', 'Error: unknown option --colour', true),
    bash('npm test', `3 passed, token ${SECRET}`),
    bash('git status', 'clean'),
  ])
  writeSession(ids[1], 'Mend the login of the admin page, please', [
    { name: 'Edit', input: { file_path: '/home/dev/api/a.ts', old_string: 'a', new_string: 'b' }, output: '', refused: true },
    {
      name: 'Edit',
      input: { file_path: '/home/dev/api/a.ts', old_string: 'a', new_string: 'quite another thing' },
      output: 'The file has been updated.',
    },
    bash('cargo build --release --target wasm32', 'error: could not compile', true),
  ])
  await result(await server.client.startImport({ body: { paths: [folder] } }))
  const { items } = await server.client.listTraces({ query: {} })
  const traceOf = (sessionId: string) => items.find((trace) => trace.sessionId === sessionId)!.id
  await server.client.promoteTrace({ params: { id: traceOf(ids[0]) }, body: { tier: 'gold' } })
  await server.client.demoteTrace({ params: { id: traceOf(ids[1]) }, body: { tier: 'failed' } })
})
afterEach(() => server.close())

test('finds pairs of all three sources, without secrets', async () => {
  expect(await find()).toMatchObject({ sessions: 2, pairs: 3, bySource: { task: 1, decision: 1, correction: 1 } })
  const { items, counts, total } = await server.client.listPairs({ query: {} })
  expect(counts).toEqual({ source: { task: 1, decision: 1, correction: 1 }, state: { proposed: 3 } })
  expect(total).toBe(3)
  const detail = async (source: string) => server.client.getPair({ params: { id: items.find((pair) => pair.source === source)!.id } })
  const task = await detail('task')
  expect(task.similarity).toBeGreaterThan(0.6)
  expect(task.row.prompt.at(-1)).toEqual({ role: 'user', content: 'Mend the login of the admin page, please' })
  expect(task.row.chosen.map(({ role }) => role)).toEqual(['assistant', 'tool', 'assistant', 'tool', 'assistant'])
  expect(JSON.stringify(task)).not.toContain(SECRET)
  expect(JSON.stringify(task)).toContain('[API_KEY_1]')
  const decision = await detail('decision')
  expect(decision.row.rejected).toMatchObject([{ tool_calls: [{ function: { arguments: { command: 'npm test --colour' } } }] }])
  expect(decision.row.chosen).toMatchObject([{ tool_calls: [{ function: { arguments: { command: 'npm test' } } }] }])
  const correction = await detail('correction')
  expect(correction.row.rejected).toMatchObject([{ tool_calls: [{ function: { name: 'Edit', arguments: { new_string: 'b' } } }] }])
  expect(correction.row.tools.map((tool) => tool.function.name)).toContain('Edit')
  expect(server.contractViolations).toEqual([])
})

test('prefers work that stayed only if asked to, whatever the tiers', async () => {
  const { items } = await server.client.listTraces({ query: {} })
  const [gold, failed] = ['gold', 'failed'].map((tier) => items.find((trace) => trace.tier === tier)!.id)
  const put = server.app.core.db.prepare("INSERT INTO trace_outcomes (trace_id, label, days, at, facts) VALUES (?, ?, 14, 0, '[]')")
  put.run(gold, 'corrected')
  put.run(failed, 'kept')
  const chosen = async (byOutcome: boolean) => {
    await result(await server.client.findPairs({ body: { selection: { filter: {} }, options: { byOutcome } } }))
    const { items: pairs } = await server.client.listPairs({ query: { source: ['task'] } })
    return pairs.map((pair) => pair.chosen.traceId)
  }
  expect(await chosen(false)).toEqual([gold])
  expect(await chosen(true)).toEqual([failed])
  const labelsOf = async (byOutcome: boolean) => {
    const { id } = await result<{ id: string }>(
      await server.client.buildDataset({ body: { kind: 'kto', minQuality: 0, split: { val: 0, test: 0 }, examples: { byOutcome } } }),
    )
    const rows = (await server.client.listDatasetRows({ params: { id }, query: {} })).items
    return [gold, failed].map((trace) => rows.flatMap(({ row, traceId }) => (traceId === trace ? [row['label']] : [])))
  }
  const wanted = async (byOutcome: boolean) => (await labelsOf(byOutcome)).map((labels) => labels.filter((label) => label === true).length)
  expect(await wanted(false)).toEqual([1, 1]) // what the user corrected the failed session to is wanted in any case
  expect(await wanted(true)).toEqual([0, 2])
})

test('keeps reviews after another search, and undoes a bulk review at once', async () => {
  await find()
  const { items } = await server.client.listPairs({ query: {} })
  const payloads: unknown[] = []
  server.app.core.events.subscribe((message) => message.type === 'pairs:changed' && payloads.push(message.payload))
  const { bulkId, changed } = await server.client.reviewPairs({
    body: { selection: { ids: items.map(({ id }) => id) }, state: 'rejected' },
  })
  expect(changed).toBe(3)
  await find()
  expect((await server.client.listPairs({ query: { state: ['rejected'] } })).total).toBe(3)
  expect(await server.client.undoPairReview({ params: { bulkId }, body: {} })).toEqual({ changed: 3 })
  await expect(server.client.undoPairReview({ params: { bulkId }, body: {} })).rejects.toMatchObject({ code: 'nothing_to_undo' })
  expect((await server.client.listPairs({ query: { state: ['proposed'], source: ['task'], q: 'login', limit: 1 } })).total).toBe(1)
  expect(payloads).toEqual([{ pairs: 3 }, { pairs: 3 }, { pairs: 3 }])
})

test('reviews everything that a filter matches, with a single undo', async () => {
  await find()
  const total = async (state: 'proposed' | 'accepted') => (await server.client.listPairs({ query: { state: [state] } })).total
  const filter = { source: ['task' as const, 'decision' as const], state: ['proposed' as const] }
  const { bulkId, changed } = await server.client.reviewPairs({ body: { selection: { filter }, state: 'accepted' } })
  expect([changed, await total('accepted'), await total('proposed')]).toEqual([2, 2, 1])
  expect(await server.client.undoPairReview({ params: { bulkId }, body: {} })).toEqual({ changed: 2 })
  expect(await total('proposed')).toBe(3)
  const misspelt = { selection: { filter: { sources: ['task'] } }, state: 'rejected' } as never
  await expect(server.client.reviewPairs({ body: misspelt })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('builds preference and label data sets without rejected pairs', async () => {
  await find()
  const { items } = await server.client.listPairs({ query: { source: ['task'] } })
  await server.client.reviewPairs({ body: { selection: { ids: items.map(({ id }) => id) }, state: 'rejected' } })
  const build = async (kind: 'dpo' | 'kto') => {
    const { id } = await result<{ id: string }>(
      await server.client.buildDataset({ body: { kind, minQuality: 0, split: { val: 0, test: 0 } } }),
    )
    return (await server.client.listDatasetRows({ params: { id }, query: {} })).items.map(({ row }) => row)
  }
  const preferences = await build('dpo')
  expect(preferences).toHaveLength(2)
  for (const row of preferences) expect(Object.keys(row)).toEqual(expect.arrayContaining(['prompt', 'chosen', 'rejected', 'tools']))
  const labels = await build('kto')
  expect(labels.map(({ label }) => String(label)).toSorted()).toEqual(['false', 'false', 'true', 'true'])
  const unwanted = labels.flatMap((row) =>
    'label' in row && row.label === false ? [row as { prompt: unknown[]; completion: unknown[] }] : [],
  )
  // the failed step of the failed session, after everything before it, and the call that the user refused
  expect(unwanted.map(({ completion }) => JSON.stringify(completion))).toEqual(expect.arrayContaining([expect.stringContaining('cargo build --release'), expect.stringContaining('"new_string":"b"')])) // prettier-ignore
  expect(unwanted.every(({ completion }) => completion.length === 1)).toBe(true)
  expect(JSON.stringify([preferences, labels])).not.toContain(SECRET)
})

test('reports a pair whose session is missing', async () => {
  await find()
  const { items } = await server.client.listPairs({ query: { source: ['decision'] } })
  await server.client.forgetTrace({ params: { id: items[0]!.chosen.traceId } })
  await expect(server.client.getPair({ params: { id: items[0]!.id } })).rejects.toMatchObject({ code: 'pair_not_found' })
})

test('deletes everything about a forgotten session except the note to never import it again', async () => {
  await find()
  await result(await server.client.buildExamples({ body: { selection: { filter: {} }, minQuality: 0, unverified: true } }))
  const { items: pairs } = await server.client.listPairs({ query: {} })
  await server.client.reviewPairs({ body: { selection: { ids: pairs.map(({ id }) => id) }, state: 'accepted' } })
  const { items } = await server.client.listTraces({ query: {} })
  for (const { id } of items) await server.client.setNote({ params: { id }, body: { note: 'About the login' } })
  for (const { id } of items) await server.client.forgetTrace({ params: { id } })
  const words = [...ids, ...items.map(({ id }) => id), 'the login']
  const { db } = server.app.core
  const places = [...schema.tables.keys()].filter((table) =>
    db
      .prepare<[], Record<string, unknown>>(`SELECT * FROM "${table}"`)
      .all()
      .some((row) =>
        Object.values(row).some((value) =>
          words.some((word) => (Buffer.isBuffer(value) ? value.toString('latin1') : String(value)).includes(word)),
        ),
      ),
  )
  expect(places).toEqual(['forgotten'])
})

test('marks unverified gold in pairs, examples and the days of Home', async () => {
  await find()
  const [pair] = (await server.client.listPairs({ query: { source: ['task'] } })).items
  const { traceId } = pair!.chosen
  await result(await server.client.buildExamples({ body: { selection: { ids: [traceId] } } }))
  const marks = async () => {
    const { chosen, rejected } = (await server.client.listPairs({ query: { source: ['task'] } })).items[0]!
    const detail = await server.client.getPair({ params: { id: pair!.id } })
    const { items } = await server.client.listExamples({ query: {} })
    const { days } = await server.client.getHome()
    const sum = (of: 'gold' | 'unverified') => days.reduce((all, day) => all + day[of], 0)
    return [chosen.unverified, rejected.unverified, detail.chosen.unverified, items[0]!.unverified, sum('gold'), sum('unverified')]
  }
  expect(await marks()).toEqual([false, false, false, false, 1, 0]) // the user gave the tier
  server.app.core.db.prepare("UPDATE traces SET tier_source = 'policy', verification = 'none' WHERE id = ?").run(traceId)
  expect(await marks()).toEqual([true, false, true, true, 1, 1])
})
