import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import type { z } from 'zod'
import type { generateSynthetic } from '#contracts/routes/augment.ts'
import { startStub, type Received, type Reply, type Stub } from '#server/adapters/llm/testing-stub.ts'
import { resultOf } from '#server/testing/core.ts'
import { promptOf, startAugmentServer, type AugmentServer } from './testing-server.ts'

let server: AugmentServer
let stub: Stub
let reply: (request: Received, index: number) => Reply
let tests = 0
const task = (_: Received, index: number): Reply => ({
  text: `Check part ${hash('sha256', `${tests} ${index}`).slice(0, 24)} of the parser; all of the suite is green after it.`,
})

beforeAll(async () => {
  stub = await startStub((request, index) => reply(request, index))
  server = await startAugmentServer(stub.url)
})
afterAll(async () => {
  await server.close()
  await stub.close()
})
let model = ''
beforeEach(() => {
  reply = task
  stub.received.length = 0
  tests += 1
  model = `claude-haiku-4-5-202511${String(tests).padStart(2, '0')}` // so that it finds no stored answers of earlier tests
})

const generate = async (body: z.input<typeof generateSynthetic.body>) =>
  server.done((await server.client.generateSynthetic({ body: { model, budgetUsd: 1, ...body } })).id)
const generatedTasks = async () =>
  (await server.client.listExamples({ query: { flag: 'no_solution', limit: 100 } })).items.filter(
    ({ generatedBy }) => generatedBy === model,
  )
const rowsOf = async (kind: 'sft' | 'prompts' | 'rlvr') => {
  const job = await server.client.buildDataset({
    body: { kind, name: `${kind} ${tests}`, minQuality: 0, split: { val: 0.4 }, dedup: { near: false } },
  })
  const { id } = await resultOf<{ id: string }>(server.app.core, job)
  const { items } = await server.client.listDatasetRows({ params: { id }, query: { limit: 100 } })
  const dropped = await server.client.listDroppedRows({ params: { id }, query: { limit: 100 } })
  return { items, dropped: dropped.items }
}

it('asks for the requested number of tasks, spread over the examples, and previews the requests', async () => {
  const count = server.examples.length + 2
  const estimate = await server.client.estimateSynthetic({ body: { model, count } })
  expect(estimate).toMatchObject({ examples: server.examples.length, requests: count, cached: 0, budget: 'usd' })
  expect(stub.received).toEqual([])

  const run = await generate({ count })
  expect(run).toMatchObject({ state: 'completed', total: count, done: count, kept: count, rejected: [], failed: [] })
  expect(stub.received.map(({ raw }) => raw)).toContain(estimate.samples[0]!.body)
  const items = await generatedTasks()
  expect(items.length).toBe(count)
  const byParent = Map.groupBy(items, ({ parentId }) => parentId)
  expect(new Set(byParent.keys())).toEqual(new Set(server.examples))
  expect([...byParent.values()].filter(({ length }) => length === 2).length).toBe(2)

  const task = await server.client.getExample({ params: { id: items[0]!.id } })
  const parent = await server.client.getExample({ params: { id: task.parentId! } })
  expect(task).toMatchObject({ turns: 0, steps: 0, state: 'proposed', flags: ['generated', 'no_solution'], tools: parent.tools })
  expect(task.messages.map(({ role }) => role)).toEqual(['system', 'user'])
  expect(task.messages[1]!.content).toMatch(/^Check part/)
  expect(task.tokens.count).toBeLessThan(parent.tokens.count)
  expect(server.contractViolations).toEqual([])
})

it('describes the original prompt, its kind of work and its files to the model', async () => {
  await generate({ count: server.examples.length })
  const texts = stub.received.map(({ body }) => body.messages.at(-1)!.content)
  const prompts = await Promise.all(server.examples.map((id) => server.client.getExample({ params: { id } })))
  expect(stub.received.map(promptOf).toSorted()).toEqual(prompts.map(({ prompt }) => prompt).toSorted())
  for (const text of texts) expect(text).toMatch(/kind of work: (fix|test|refactor|docs|review|question|feature|other)/)
  expect(texts.filter((text) => /files: \S+\.\w+/.test(text)).length).toBeGreaterThan(0)
})

it('asks only for the missing tasks when the number grows', async () => {
  await generate({ count: 3 })
  expect(stub.received.length).toBe(3)
  expect(await server.client.estimateSynthetic({ body: { model, count: 5 } })).toMatchObject({ requests: 5, cached: 3 })
  expect(await generate({ count: 5 })).toMatchObject({ kept: 5, cached: 3 })
  expect(stub.received.length).toBe(5)
  expect((await generatedTasks()).length).toBe(5)
  // variants of the same examples are other answers
  expect(await server.client.estimateSynthetic({ body: { model, make: 'variants', variants: 1 } })).toMatchObject({ cached: 0 })
})

it('drops unusable tasks and counts them by reason', async () => {
  const same = 'Write the tests that the parser lacks, and see to it that the whole of the suite is green after it.'
  const answers: ((request: Received) => Reply)[] = [
    (request) => ({ text: promptOf(request) }),
    () => ({ text: 'I’m sorry, but I can’t help with that request about the tests.' }),
    () => ({ text: 'Use ghp_Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO to push the branch, then check that it is there.' }),
    () => ({ text: same }),
    () => ({ text: same }),
  ]
  reply = (request, index) => answers[index]!(request)
  const run = await generate({ source: { ids: server.examples.slice(0, 1) }, count: 5 })
  expect(run).toMatchObject({ done: 5, kept: 1 })
  expect(run.rejected.map(({ reason }) => reason).toSorted()).toEqual(['refusal', 'same as another task', 'same as the original', 'secret'])
})

it('adds tasks to prompt data sets only, marked and in the split of their original', async () => {
  const { kept } = await generate({ count: 4 })
  expect(kept).toBe(4)
  const ids = new Set((await generatedTasks()).map(({ id }) => id))
  const prompts = await rowsOf('prompts')
  const rows = prompts.items.filter(({ exampleId }) => ids.has(exampleId!))
  expect(rows.length).toBe(4)
  for (const { row, split, traceId } of rows) {
    expect(row['metadata']).toMatchObject({ generated: true, model })
    expect(new Set(prompts.items.filter((other) => other.traceId === traceId).map((other) => other.split))).toEqual(new Set([split]))
  }
  expect(new Set(prompts.items.map(({ split }) => split))).toEqual(new Set(['train', 'val']))
  const sft = await rowsOf('sft')
  expect(sft.items.filter(({ exampleId }) => ids.has(exampleId!))).toEqual([])
  expect(sft.dropped.filter(({ exampleId }) => ids.has(exampleId!)).map(({ reason }) => reason)).toEqual(
    Array.from({ length: 4 }, () => 'task without a solution'),
  )
  const rlvr = await rowsOf('rlvr')
  expect(rlvr.items.filter(({ exampleId }) => ids.has(exampleId!))).toEqual([])
})

it('allows reviewing and editing a task like any example, but without an answer', async () => {
  await generate({ count: 1 })
  const [item] = await generatedTasks()
  const { messages } = await server.client.getExample({ params: { id: item!.id } })
  const other = messages.map((message) => (message.role === 'user' ? { ...message, content: 'Rename the parser and its file.' } : message))
  const edited = await server.client.editExample({ params: { id: item!.id }, body: { messages: other } })
  expect(edited).toMatchObject({ edited: true, messages: other })
  const preview = await server.client.previewRow({ body: { row: { example: item!.id } } })
  expect(preview).toMatchObject({ trained: 0 })
  await server.client.reviewExamples({ body: { selection: { ids: [item!.id] }, state: 'rejected' } })
  const { items, dropped } = await rowsOf('prompts')
  expect(items.map(({ exampleId }) => exampleId)).not.toContain(item!.id)
  expect(dropped.find(({ exampleId }) => exampleId === item!.id)?.reason).toBe('rejected in review')
  await expect(server.client.editExample({ params: { id: item!.parentId! }, body: { messages: other } })).rejects.toMatchObject({
    message: 'An example needs at least one assistant message.',
  })
})

it('requires a budget, and rejects a number of tasks outside the limits', async () => {
  await expect(server.client.generateSynthetic({ body: { count: 3, model } })).rejects.toMatchObject({ code: 'budget_needed' })
  for (const count of [0, 10_001, 1.5])
    await expect(server.client.generateSynthetic({ body: { count, model, budgetUsd: 1 } })).rejects.toMatchObject({
      code: 'invalid_request',
    })
  expect(await server.client.estimateSynthetic({ body: { model, preset: 'balanced' } })).toMatchObject({ requests: 500 })
  expect(stub.received).toEqual([])
})
