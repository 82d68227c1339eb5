import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ExampleOptions } from '#contracts/entities/example.ts'
import { resultOf } from '#server/testing/core.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { createReviewPool } from './examples/review-pool.ts'
import { createFactoryStore } from './store.ts'

const SAMPLES = path.resolve(import.meta.dirname, '../../../../samples/claude-code')

let server: TestServer
beforeEach(async () => {
  server = await startTestServer()
  await result(await server.client.startImport({ body: { paths: [SAMPLES] } }))
})
afterEach(() => server.close())

const result = (job: { id: string }) => resultOf(server.app.core, job)
const traceOf = async (version: string) => {
  const { items } = await server.client.listTraces({ query: { limit: 100 } })
  return items.find(({ clientVersion, counts }) => clientVersion === version && counts.toolCalls === 10)!.id
}
const fill = async (ids: string[], options = {}) => result(await server.client.buildExamples({ body: { selection: { ids }, options } }))

describe('segments', () => {
  it("are part of the trace, follow the user's cuts, and undo them", async () => {
    const id = await traceOf('2.1.329')
    const trace = await server.client.getTrace({ params: { id } })
    expect(trace.segments).toMatchObject([{ steps: 10, boundary: { kind: 'start' }, ownPrompt: true }])
    const { items: steps } = await server.client.listSteps({ params: { id }, query: { limit: 100 } })
    const cuts = [{ stepId: steps[4]!.id, boundary: true }]
    const segments = await server.client.setSegmentCuts({ params: { id }, body: { cuts } })
    expect(segments.items.map(({ steps: count, boundary }) => [count, boundary.kind])).toEqual([
      [4, 'start'],
      [6, 'user'],
    ])
    expect(segments).toMatchObject({ cuts, canUndo: true })
    // a boundary may precede only the first call of a response
    const responses = steps.filter(({ messageId }, index) => messageId !== null && messageId === steps[index - 1]?.messageId)
    expect(segments.together).toEqual(responses.map((step) => step.id))
    expect(segments.together.length).toBeGreaterThan(0)
    await result(await server.client.startRebuild({ body: {} }))
    expect((await server.client.listSegments({ params: { id } })).items.length).toBe(2)
    expect((await server.client.getTrace({ params: { id } })).segments?.length).toBe(2)
    expect((await server.client.getTrace({ params: { id }, query: { segments: 'false' } })).segments).toBeNull()
    expect((await server.client.resetSegmentCuts({ params: { id } })).items.length).toBe(1)
    expect((await server.client.undoSegmentCuts({ params: { id }, body: {} })).items.length).toBe(2)
    expect((await server.client.undoSegmentCuts({ params: { id }, body: {} })).items.length).toBe(1)
    await expect(server.client.undoSegmentCuts({ params: { id }, body: {} })).rejects.toMatchObject({ code: 'nothing_to_undo' })
  })

  it('reject duplicate steps and unknown traces', async () => {
    const id = await traceOf('2.1.329')
    const duplicateCuts = [
      { stepId: 'a', boundary: true },
      { stepId: 'a', boundary: false },
    ]
    await expect(server.client.setSegmentCuts({ params: { id }, body: { cuts: duplicateCuts } })).rejects.toMatchObject({
      code: 'invalid_request',
    })
    const unknown = { params: { id: 'a'.repeat(26) } }
    await expect(server.client.listSegments(unknown)).rejects.toMatchObject({ code: 'trace_not_found' })
    await expect(server.client.generateExamples({ ...unknown, body: {} })).rejects.toMatchObject({ code: 'trace_not_found' })
  })
})

it('generates the examples of a session and stores nothing', async () => {
  const id = await traceOf('2.1.50')
  const { segments, examples, excluded } = await server.client.generateExamples({ params: { id }, body: { options: { thinking: false } } })
  expect([segments.length, examples.length, excluded.length]).toEqual([1, 1, 0])
  expect(examples[0]!.messages.length).toBeGreaterThan(10)
  expect((await server.client.listExamples({ query: {} })).total).toBe(0)
})

describe('examples under review', () => {
  it('are added by a job, listed, filtered, paged, and announced', async () => {
    const ids = [await traceOf('2.1.329'), await traceOf('2.1.50'), await traceOf('1.0.128')]
    const payloads: unknown[] = []
    const unfollow = server.app.core.events.subscribe((message) => message.type === 'examples:changed' && payloads.push(message.payload))
    expect(await fill(ids)).toEqual({ traces: 3, examples: 3, excluded: [], left: [], failed: [] })
    unfollow()
    expect(payloads.length).toBe(3)
    expect(await server.client.getStats()).toMatchObject({ examples: 3, dataSets: 0 })
    const list = (query: Record<string, unknown>) => server.client.listExamples({ query })
    const all = await list({ sort: '-tokens' })
    expect(all.total).toBe(3)
    expect(all.items.map(({ tokens }) => tokens.count)).toEqual(all.items.map(({ tokens }) => tokens.count).toSorted((a, b) => b - a))
    const first = await list({ limit: 2 })
    const second = await list({ limit: 2, cursor: first.nextCursor! })
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(3)
    expect(second.nextCursor).toBeNull()
    expect((await list({ trace: ids[0]! })).total).toBe(1)
    expect((await list({ flag: 'has_errors', q: 'failing TEST', state: ['proposed'] })).total).toBe(3)
    expect((await list({ q: '100%_' })).total).toBe(0)
    expect((await list({ state: ['accepted'] })).total).toBe(0)
    expect((await server.client.listTrainingExamples({ query: {} })).total).toBe(3)
    await expect(list({ cursor: 'nonsense' })).rejects.toMatchObject({ code: 'invalid_request' })
    expect(server.contractViolations).toEqual([])
  })

  it('are counted by state, repository, tier, flag and length with the same filter', async () => {
    await fill([await traceOf('2.1.329'), await traceOf('2.1.50')])
    const { items } = await server.client.listExamples({ query: { sort: 'tokens' } })
    await server.client.reviewExamples({ body: { selection: { ids: [items[0]!.id] }, state: 'accepted' } })
    const facets = await server.client.getExampleFacets({ query: { state: ['accepted'] } })
    expect(facets).toMatchObject({ total: 1, states: { proposed: 1, accepted: 1, rejected: 0 } })
    const sum = (counts: { count: number }[]) => counts.reduce((total, { count }) => total + count, 0)
    expect([sum(facets.tier), sum(facets.tokens)]).toEqual([1, 1])
    expect(facets.repos.map(({ proposed, accepted, rejected }) => proposed + accepted + rejected).reduce((a, b) => a + b)).toBe(2)
    expect(facets.flag).toContainEqual({ value: 'has_errors', count: 1 })
    const [short, long] = items.map(({ tokens }) => tokens.count)
    const total = async (query: Record<string, unknown>) => (await server.client.listExamples({ query })).total
    expect([await total({ minTokens: long! }), await total({ maxTokens: long! }), await total({ maxTokens: short! })]).toEqual([1, 1, 0])
    const { repo } = items[0]!
    expect(await total({ repo: repo ?? '-' })).toBe(2)
    expect(await total({ repo: repo === null ? 'none' : '-' })).toBe(0)
    expect(server.contractViolations).toEqual([])
  })

  it('are made only from sessions of sufficient quality; the others are counted', async () => {
    const built = await result(await server.client.buildExamples({ body: { selection: { filter: {} }, minQuality: 1 } }))
    expect(built).toMatchObject({ traces: 0, left: { length: 8 } })
  })

  it('are accepted and rejected in bulk, with a single undo', async () => {
    await fill([await traceOf('2.1.329'), await traceOf('2.1.50')])
    const { items } = await server.client.listExamples({ query: {} })
    const ids = items.map(({ id }) => id)
    const { bulkId, changed } = await server.client.reviewExamples({ body: { selection: { ids }, state: 'accepted' } })
    expect(changed).toBe(2)
    expect((await server.client.reviewExamples({ body: { selection: { ids }, state: 'accepted' } })).changed).toBe(0)
    expect((await server.client.listExamples({ query: { state: ['accepted'] } })).total).toBe(2)
    await server.client.reviewExamples({ body: { selection: { ids: [ids[0]!] }, state: 'rejected' } })
    expect((await server.client.getExample({ params: { id: ids[0]! } })).state).toBe('rejected')
    await server.client.undoReview({ params: { bulkId }, body: {} })
    expect((await server.client.listExamples({ query: { state: ['proposed'] } })).items.map(({ id }) => id)).toEqual([ids[1]])
    await expect(server.client.undoReview({ params: { bulkId }, body: {} })).rejects.toMatchObject({ code: 'nothing_to_undo' })
  })

  it('are reviewed by filter, also beyond the loaded page, with a single undo', async () => {
    await fill((await server.client.listTraces({ query: { limit: 100 } })).items.map(({ id }) => id))
    const states = async () => (await server.client.getExampleFacets({ query: {} })).states
    const all = (await states()).proposed
    const sizes = (await server.client.listExamples({ query: { limit: 100 } })).items.map(({ tokens }) => tokens.count)
    const minTokens = Math.min(...sizes) + 1
    const { items, total } = await server.client.listExamples({ query: { repo: 'project', minTokens, limit: 1 } })
    expect(items.length).toBeLessThan(total)
    expect(total).toBeLessThan(all)
    const filter = { state: ['proposed' as const], repo: 'project', minTokens }
    const { bulkId, changed } = await server.client.reviewExamples({ body: { selection: { filter }, state: 'accepted' } })
    expect([changed, await states()]).toEqual([total, { proposed: all - total, accepted: total, rejected: 0 }])
    expect(
      (await server.client.listExamples({ query: { state: ['accepted'], limit: 100 } })).items.every((one) => one.tokens.count >= 1000),
    ).toBe(true)
    expect((await server.client.reviewExamples({ body: { selection: { filter: {} }, state: 'accepted' } })).changed).toBe(all - total)
    expect(await server.client.undoReview({ params: { bulkId }, body: {} })).toEqual({ changed: total })
    expect(await states()).toEqual({ proposed: total, accepted: all - total, rejected: 0 })
    const misspelt = { selection: { filter: { stat: ['proposed'] } }, state: 'rejected' } as never
    await expect(server.client.reviewExamples({ body: misspelt })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  it('keep edits separate from the source, survive a rebuild, and can be reset', async () => {
    const traceId = await traceOf('2.1.329')
    await fill([traceId])
    const { id } = (await server.client.listExamples({ query: {} })).items[0]!
    const before = await server.client.getExample({ params: { id } })
    const messages = [
      { role: 'user' as const, content: 'Say hello.' },
      { role: 'assistant' as const, content: 'Hello.' },
    ]
    const edited = await server.client.editExample({ params: { id }, body: { messages } })
    expect(edited).toMatchObject({ edited: true, messages, original: before.messages, prompt: 'Say hello.', turns: 1, steps: 0 })
    const findEdited = async () => (await server.client.listExamples({ query: { flag: 'edited' } })).items[0]
    await waitUntil(async () => (await findEdited())?.prompt === 'Say hello.')
    expect(await findEdited()).toMatchObject({ turns: 1, steps: 0, tokens: edited.tokens })
    await result(await server.client.startRebuild({ body: {} }))
    await waitUntil(async () => (await server.client.listExamples({ query: { flag: 'edited' } })).total === 1)
    expect(await server.client.getExample({ params: { id } })).toMatchObject({ edited: true, messages, createdAt: expect.any(String) })
    await fill([traceId], { thinking: false })
    expect((await server.client.getExample({ params: { id } })).flags).toContain('edited')
    const back = await server.client.dropExampleEdit({ params: { id } })
    expect(back).toMatchObject({ edited: false, original: null })
  })

  it('reject edits that no chat template supports, and name the message', async () => {
    await fill([await traceOf('2.1.329')])
    const { id } = (await server.client.listExamples({ query: {} })).items[0]!
    const messages = [
      { role: 'user' as const, content: 'Go' },
      { role: 'tool' as const, tool_call_id: 'call_9', name: 'Bash', content: '' },
    ]
    await expect(server.client.editExample({ params: { id }, body: { messages } })).rejects.toMatchObject({
      code: 'invalid_request',
      message: 'Message 2 (tool) is the result of call_9, but no earlier message has this call.',
    })
    const unknown = { params: { id: 'b'.repeat(26) } }
    await expect(server.client.getExample(unknown)).rejects.toMatchObject({ code: 'example_not_found' })
  })

  it("follow the user's cuts, and are deleted with their session", async () => {
    const id = await traceOf('2.1.329')
    await fill([id])
    const { items: steps } = await server.client.listSteps({ params: { id }, query: { limit: 100 } })
    await server.client.setSegmentCuts({ params: { id }, body: { cuts: [{ stepId: steps[6]!.id, boundary: true }] } })
    await waitUntil(async () => (await server.client.listExamples({ query: { trace: id } })).total === 2)
    await server.client.forgetTrace({ params: { id } })
    expect((await server.client.listExamples({ query: {} })).total).toBe(0)
    expect(server.app.core.db.prepare<[], { n: number }>('SELECT count(*) AS n FROM segment_cuts').get()!.n).toBe(0)
  })

  it('are not stored for a session that is forgotten meanwhile', async () => {
    const { core } = server.app
    const [id, other] = [await traceOf('2.1.329'), await traceOf('2.1.197')]
    await fill([id])
    const list = (await server.client.listExamples({ query: { trace: id } })).items
    const examples = await Promise.all(list.map(({ id: example }) => server.client.getExample({ params: { id: example } })))
    const { fill: fillAll } = createReviewPool(core, createFactoryStore(core.db, core.now), () => 'one', async (traceId) => {
      if (traceId === id) await server.client.forgetTrace({ params: { id } })
      return { segments: [], excluded: [], examples: examples.map((one) => ({ ...one, id: `${one.id}-${traceId}`, sourceHash: '' })) }
    }) // prettier-ignore
    const result = await fillAll([id, other], ExampleOptions.parse({}), {
      signal: AbortSignal.timeout(30_000),
      progress: () => undefined,
    })
    expect(result).toMatchObject({ traces: 1, examples: examples.length, failed: [] })
    expect((await server.client.listExamples({ query: {} })).items.map(({ traceId }) => traceId)).toEqual(examples.map(() => other))
  })
})

it('never shows a secret of a session in a list or detail', async () => {
  const secret = 'ghp_Zq8vN4tY2mK7wR5xL9cB3dF6hJ1sA0pQeUiO'
  const folder = path.join(server.config.dataDir, '..', 'planted')
  fs.cpSync(path.join(SAMPLES, 'older/2.1.50/fix-test/projects'), folder, { recursive: true })
  const [file] = fs.globSync('**/*.jsonl', { cwd: folder }).map((name) => path.join(folder, name))
  const text = fs.readFileSync(file!, 'utf8').replaceAll('6d3745d2-b61b-402e-8a69-0159a05213b4', '6d3745d2-b61b-402e-8a69-0159a05213ff')
  fs.rmSync(file!)
  fs.writeFileSync(
    file!.replace('213b4', '213ff'),
    text.replaceAll('Please fix the failing test.', `Please fix the failing test. GITHUB_TOKEN=${secret}`),
  )
  await result(await server.client.startImport({ body: { paths: [folder] } }))
  const { items } = await server.client.listTraces({ query: { limit: 100 } })
  const id = items.find(({ sessionId }) => sessionId.endsWith('213ff'))!.id
  await fill([id])
  const list = await server.client.listExamples({ query: { trace: id } })
  const detail = await server.client.getExample({ params: { id: list.items[0]!.id } })
  expect(JSON.stringify([list, detail])).not.toContain(secret)
  expect(detail.findings).not.toEqual({})
  expect(detail.flags).toContain('findings')
  // every listed replacement occurs in the messages
  expect(detail.replacements.length).toBeGreaterThan(0)
  for (const { text } of detail.replacements) expect(JSON.stringify(detail.messages)).toContain(text)
})

/** Resolves when the condition is true; checks it after each event. */
async function waitUntil(holds: () => Promise<boolean>): Promise<void> {
  const { events } = server.app.core
  let changed = Promise.withResolvers<void>()
  const unfollow = events.subscribe(() => changed.resolve())
  try {
    while (!(await holds())) {
      await changed.promise
      changed = Promise.withResolvers()
    }
  } finally {
    unfollow()
  }
}
