import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Dataset, DatasetBuilt } from '#contracts/entities/dataset.ts'
import type { Exam } from '#contracts/entities/exam.ts'
import type { Stub } from '#server/adapters/llm/testing-stub.ts'
import { overHttp } from '#server/cli/connect.ts'
import { type CliDeps, runCli } from '#server/cli/run.ts'
import { newFolder, useFolder } from '#server/testing/folders.ts'
import { startTestServer, testConfig, type TestServer } from '#server/testing/server.ts'
import {
  askedFor,
  CALLS,
  done,
  ended,
  endpoint,
  importSessions,
  makeExam,
  promptOf,
  scripted,
  sessionId,
  startScripted,
  writeSession,
} from './testing-exam.ts'

const SESSIONS = 42
const folder = useFolder()
const { remove, ...config } = testConfig()
let server: TestServer
let stub: Stub
let fails: (model: string, session: number) => boolean = () => false
let traces: string[]
let exam: Exam
let small: Exam

beforeAll(async () => {
  stub = await startScripted((request) =>
    fails(request.body.model, askedFor(request).session) ? { status: 400, json: { error: { message: 'No.' } } } : scripted(request),
  )
  server = await startTestServer({ config })
  traces = await importSessions(server.client, folder, 0, SESSIONS)
  exam = await makeExam(server.client, traces.slice(0, 40), { name: 'Forty', callsPerSession: 4 })
  small = await makeExam(server.client, traces.slice(0, 10), { name: 'Ten' })
}, 120_000)
afterAll(async () => {
  await server.close()
  await stub.close()
  remove()
})

const run = async (of: Exam, model: string, against = 'base', more = {}) => {
  const started = await server.client.startExamRun({
    params: { id: of.id },
    body: { model: endpoint(stub, model), against: endpoint(stub, against), ...more },
  })
  return ended(server.client, started)
}

test('an exam has some calls of each session, and what it asks is what a training row has before them', async () => {
  expect(small).toMatchObject({ sessions: 10, items: 10 * CALLS })
  expect(exam).toMatchObject({ sessions: 40, items: 160, tools: [{ tool: 'Bash', items: 160 }] })
  const found = await run(small, 'alike')
  const { items } = await server.client.listExamItems({ params: { id: small.id, run: found.id }, query: { limit: '1' } })
  const asked = await server.client.getExamItem({ params: { id: small.id, item: items[0]!.id } })
  const { examples } = await server.client.generateExamples({ params: { id: items[0]!.traceId }, body: { options: {} } })
  const row = examples[0]!.messages
  const at = row.findIndex(
    (message) =>
      message.role === 'assistant' && message.tool_calls?.[0]?.function.arguments['command'] === items[0]!.recorded!.arguments['command'],
  )
  expect(asked.messages).toEqual(row.slice(0, at))
  expect(asked.tools).toEqual(examples[0]!.tools)
})

test('a model that is better by .1 on forty sessions ships; the same verdict comes twice from the stored answers', async () => {
  const found = await run(exam, 'better')
  expect(found).toMatchObject({
    state: 'completed',
    owed: 0,
    result: { verdict: 'ship', sessions: 40, items: 160, losses: 0, decided: false },
  })
  expect(found.result.delta).toBeCloseTo(0.1, 1)
  const params = { id: exam.id, run: found.id }
  await expect(server.client.getExamCertificate({ params })).rejects.toMatchObject({ code: 'exam_not_decided' })
  const sentBefore = stub.received.length
  const certificate = await server.client.decideExamRun({ params })
  expect(await server.client.decideExamRun({ params })).toEqual(certificate)
  expect(await server.client.getExamCertificate({ params })).toEqual(certificate)
  expect(stub.received.length).toBe(sentBefore)
  expect(certificate).toMatchObject({ verdict: 'ship', sessions: 40, needed: null, model: { hashes: {} } })
  expect(certificate.items.filter(({ state }) => state === 'win')).toHaveLength(found.result.wins)
  expect((await server.client.getExamRun({ params })).verdict).toBe('ship')
})

test('answers that were changed after the verdict are noticed, and give another one when it is decided again', async () => {
  const { id } = await run(exam, 'better')
  const params = { id: exam.id, run: id }
  const { delta } = await server.client.decideExamRun({ params })
  const notesOf = async () => (await server.client.getExamRun({ params })).result.notes.join(' ')
  expect(await notesOf()).not.toContain('does not agree')
  const lost = server.app.core.db
    .prepare(
      "UPDATE exam_answers SET call = NULL WHERE side = 'model' AND run_no = (SELECT no FROM exam_runs WHERE id = ?) AND item_no % 4 = 0",
    )
    .run(id)
  expect(lost.changes).toBeGreaterThan(0)
  await server.close()
  server = await startTestServer({ config })
  expect(await notesOf()).toContain('does not agree with the stored answers any more')
  expect((await server.client.decideExamRun({ params })).delta).toBeLessThan(delta!)
  expect(await notesOf()).not.toContain('does not agree')
})

test('the pictures of a run show every item once, its difference with the same interval, and more sessions for smaller differences', async () => {
  const { id, result } = await run(exam, 'better')
  const { pairs, of, differences, power } = await server.client.getExamPictures({ params: { id: exam.id, run: id } })
  expect([pairs.length, of, new Set(pairs.map(({ no }) => no)).size]).toEqual([160, 160, 160])
  expect(pairs.filter(({ model, base }) => model > base)).toHaveLength(result.wins)
  const by = pairs.map(({ model, base }) => model - base)
  expect(by).toEqual(by.toSorted((a, b) => a - b))
  expect(differences[0]).toEqual({ part: 'exam', name: null, delta: result.delta, ...result.intervals.clustered, n: 40 })
  const sessions = power.map((one) => one.sessions)
  expect(sessions).toEqual(sessions.toSorted((a, b) => b - a))
  expect(sessions[0]).toBeGreaterThan(sessions.at(-1)!)
})

test('both models are asked the same, in turn', async () => {
  stub.received.length = 0
  await run(small, 'worse')
  const asked = stub.received.map(({ body: { model, ...body } }) => [model, JSON.stringify(body)] as const)
  const first = asked.slice(0, 8).map(([model]) => model)
  expect(first).toEqual(['base', 'worse', 'worse', 'base', 'base', 'worse', 'worse', 'base'])
  for (let at = 0; at < asked.length; at += 2) expect(asked[at]![1]).toBe(asked[at + 1]![1])
})

test('a worse model is worse, ten sessions are too few, and a model against itself proves nothing but measures the noise', async () => {
  expect((await run(exam, 'worse')).result).toMatchObject({ verdict: 'worse', wins: 0 })
  const few = await run(small, 'better')
  expect(few.result).toMatchObject({ verdict: 'not_proven', sessions: 10 })
  expect(few.result.needed).toBeGreaterThanOrEqual(20)
  const same = await run(exam, 'base')
  expect(same.result).toMatchObject({ verdict: 'not_proven', delta: 0 })
  expect(same.result.notes.join(' ')).not.toContain('Noise floor') // it is what measures it
  const after = await run(exam, 'alike')
  expect(after.result).toMatchObject({ verdict: 'not_proven', delta: 0, needed: 59, noiseFloor: { delta: 0, run: same.id } })
})

test('what an endpoint refused is owed: it enters no figure, and is asked again on both sides', async () => {
  fails = (model, session) => model === 'better' && session === 3
  const found = await run(small, 'better')
  expect(found).toMatchObject({ state: 'failed', result: { verdict: 'refused' } })
  const params = { id: small.id, run: found.id }
  fails = () => false
  stub.received.length = 0
  const resumed = await server.client.resumeExamRun({ params, body: {} })
  const rest = await ended(server.client, resumed)
  expect(rest).toMatchObject({ state: 'completed', counts: { model: { error: 5, not_run: 0 }, base: { error: 0, not_run: 0 } }, owed: 5 })
  stub.received.length = 0
  const repeated = await ended(server.client, await server.client.repeatOwedExamItems({ params }))
  expect(repeated).toMatchObject({ state: 'completed', owed: 0, result: { verdict: 'not_proven', items: 80 } })
  expect(stub.received.map(({ body }) => body.model).toSorted()).toEqual([
    ...Array<string>(5).fill('base'),
    ...Array<string>(5).fill('better'),
  ])
})

test('a session of an exam, a copy with one word changed, or another session with its prompt cannot enter a data set', async () => {
  const copies = newFolder()
  writeSession(copies, 5, promptOf(5).replace('shown', 'listed'), sessionId(905))
  await done(server.client, await server.client.startImport({ body: { paths: [copies] } }))
  const { items } = await server.client.listTraces({ query: { limit: '100' } })
  const ids = items.map(({ id }) => id)
  expect(ids).toHaveLength(SESSIONS + 1)
  const built = await done<DatasetBuilt>(
    server.client,
    await server.client.buildDataset({ body: { kind: 'sft', name: 'after', traceIds: ids, review: 'not_rejected', minQuality: 0 } }),
  )
  const dataset: Dataset = await server.client.getDataset({ params: { id: built.id } })
  expect(dataset.sources.map(({ traceId }) => traceId).toSorted()).toEqual(traces.slice(40).toSorted())
  expect(dataset.excluded).toEqual(
    expect.arrayContaining([
      { reason: 'in an exam', count: 40 },
      { reason: 'overlaps with a held-out item', count: 1 },
    ]),
  )
  const plan = await server.client.planDataset({ body: { kind: 'sft', traceIds: ids } })
  expect(plan.left).toContainEqual({ reason: 'in an exam', count: 40 })
  const copy = ids.find((id) => !traces.includes(id)) ?? ''
  const both = await makeExam(server.client, ids, { name: 'Twice', callsPerSession: 1 })
  expect(both).toMatchObject({ sessions: SESSIONS, leftOut: [{ reason: 'nearly the same as another session of the exam', count: 1 }] })
  const planned = await server.client.planDataset({ body: { kind: 'sft', traceIds: [copy] } })
  expect(planned.left).toContainEqual({ reason: 'in an exam', count: 1 })
  const proposed = await server.client.proposeShellTasks({ body: { traceId: copy } })
  expect(proposed).toMatchObject({ proposals: [], leftOut: [{ reason: expect.stringContaining('in the exam "Twice"') as string }] })
})

test('a cost limit needs prices, and a run without another model is refused with what to do', async () => {
  const params = { id: small.id }
  const capped = await server.client.planExamRun({
    params,
    body: { model: endpoint({ url: 'https://models.example' }, 'better'), against: endpoint(stub, 'base'), maxCostUsd: 1 },
  })
  expect(capped.refusals[0]!.message).toContain('price of better')
  expect(capped).toMatchObject({ items: 80, requests: 160, mostUsd: null })
  await expect(server.client.startExamRun({ params, body: { model: endpoint(stub, 'better') } })).rejects.toMatchObject({
    code: 'exam_run_refused',
    hint: expect.stringContaining('against') as string,
  })
  await expect(server.client.planExam({ body: { traceIds: ['a'.repeat(26)] } })).resolves.toMatchObject({ sessions: 0, smallest: null })
  await expect(server.client.makeExam({ body: { traceIds: ['a'.repeat(26)] } })).rejects.toMatchObject({ code: 'exam_empty' })
})

test('the command line plans, runs, and gives the same certificate twice', async () => {
  const cli = async (...args: string[]) => {
    let out = ''
    const deps = { connect: async () => overHttp(server.url, server.token), serve: {}, restore: {} } as unknown as CliDeps
    const code = await runCli(
      ['exam', ...args, '--json'],
      deps,
      { out: (text) => void (out += text), note: () => undefined },
      new AbortController().signal,
    )
    return { code, document: JSON.parse(out) as { id: string; verdict: string; refusals: unknown[]; items: unknown[] } }
  }
  const models = ['--model', `${stub.url}#better`, '--against', `${stub.url}#base`]
  expect(await cli('run', ...models, '--exam', exam.id, '--plan')).toMatchObject({ code: 0, document: { refusals: [], requests: 320 } })
  const ran = await cli('run', ...models, '--exam', exam.id)
  expect(ran).toMatchObject({ code: 0, document: { verdict: 'ship' } })
  const first = await cli('certificate', ran.document.id)
  expect(await cli('certificate', ran.document.id)).toEqual(first)
  expect((await cli('decide', ran.document.id)).document).toEqual(first.document)
  expect((await cli('show', exam.id)).document).toMatchObject({ id: exam.id, sessions: 40 })
  expect((await cli('list')).document.items).toHaveLength(3)
})

test('a deleted session takes its items and answers along', async () => {
  const params = { id: small.id }
  const [last] = (await server.client.listExamRuns({ params, query: {} })).items
  await server.client.forgetTrace({ params: { id: traces[0]! } })
  expect(await server.client.getExam({ params })).toMatchObject({ sessions: 9, items: 72 })
  expect(await server.client.getExamRun({ params: { ...params, run: last!.id } })).toMatchObject({ items: 72 })
  expect(server.contractViolations).toEqual([])
})
