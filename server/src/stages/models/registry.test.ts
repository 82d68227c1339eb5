import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Dataset } from '#contracts/entities/dataset.ts'
import type { ExamVerdict } from '#contracts/entities/evaluation.ts'
import type { Model } from '#contracts/entities/model.ts'
import { RunRequest } from '#contracts/entities/run.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { contractViolationsOf } from '#server/testing/server.ts'
import { openModels, runId } from './testing-models.ts'

let core: TestCore
let opened: ReturnType<typeof openModels>
let client: (typeof opened)['client']

const dataset = (sessions: number): Dataset =>
  ({
    id: 'ds_1',
    name: 'mine',
    version: 2,
    kind: 'sft',
    counts: { sessions, segments: sessions, examples: 20, train: 15, val: 5, test: 0 },
    sources: Array.from({ length: sessions }, (_, n) => ({ traceId: `t${n}`, contentHash: 'x', split: 'train', examples: 2 })),
    files: [{ split: 'train', path: 'train.jsonl', rows: 15, bytes: 9, sha256: 'e'.repeat(64) }],
    policyHash: 'policy-hash',
    privacy: { findingsByType: { EMAIL: 3 }, survivors: null },
    options: {},
  }) as unknown as Dataset // only the fields that the registry reads

beforeEach(() => open())
afterEach(() => opened.close())

function open(options: Parameters<typeof openModels>[1] = {}) {
  core = openCore()
  opened = openModels(core, options)
  client = opened.client
}

const sha256 = (content: Buffer | string) => hash('sha256', content)

/** Registers a run, and waits until its files were read. */
async function register(letter: string, change = {}): Promise<Model> {
  const id = opened.complete(letter, change)
  await settled(id)
  return client.getModel({ params: { id } })
}

const settled = (id: string) =>
  messageArrives(({ type, payload }) => type === 'model:changed' && payload.model.id === id && payload.model.artifacts[0]?.sha256 !== null)

function messageArrives(isExpected: (message: TestCore['messages'][number]) => boolean): Promise<void> {
  if (core.messages.some(isExpected)) return Promise.resolve()
  return new Promise((resolve) => {
    const stop = core.events.subscribe((message) => {
      if (!isExpected(message)) return
      stop()
      resolve()
    })
  })
}

test('a completed run becomes a model with the figures of the run and the hashes of its files', async () => {
  const model = await register('a')
  expect(model).toMatchObject({
    id: runId('a'),
    name: 'Model a',
    tags: ['shop'],
    lineage: {
      baseModel: 'Qwen/Qwen2.5-Coder-1.5B-Instruct',
      baseHash: 'b'.repeat(64),
      strategy: 'sft',
      repos: ['acme/shop'],
      parentModelId: null,
    },
    training: { steps: 30, rows: 12, tokens: 3456, trainSec: 60, device: 'cpu', loss: 0.42, evalLoss: 0.5, peakMb: 700 },
    evaluations: [],
    operational: { parameters: 808, tokensPerSec: null, latencyMsP50: null, measuredOn: null, status: 'not_deployed' },
  })
  const folder = path.join(core.paths.models, model.id, 'final')
  const lines = fs.readdirSync(folder).toSorted().map((name) => `${sha256(fs.readFileSync(path.join(folder, name)))}  ${name}\n`) // prettier-ignore
  const [adapter] = model.artifacts
  expect(adapter).toMatchObject({ id: 'adapter', format: 'adapter', state: 'present', path: folder, parity: null })
  expect(adapter!.sha256).toBe(sha256(lines.join('')))
  expect(model.operational.sizeBytes).toBe(adapter!.bytes)
})

test('registering a run twice changes nothing', async () => {
  await register('a')
  await client.patchModel({ params: { id: runId('a') }, body: { name: 'Mine' } })
  expect(opened.complete('a')).toBe(runId('a'))
  expect((await client.getModel({ params: { id: runId('a') } })).name).toBe('Mine')
})

test('files that were not read before the app ended are read at the next start', async () => {
  opened.complete('a')
  core.db.prepare('UPDATE model_artifacts SET sha256 = NULL').run()
  core.messages.length = 0
  void opened.models.stage.start?.({ watch: true })
  await settled(runId('a'))
  expect((await client.getModel({ params: { id: runId('a') } })).artifacts[0]!.sha256).toMatch(/^[0-9a-f]{64}$/)
})

test('missing and changed files are detected, and equal bytes with another time are not changed', async () => {
  const { id, artifacts } = await register('a')
  const state = async () => (await client.getModel({ params: { id } })).artifacts[0]!.state
  const file = path.join(artifacts[0]!.path, 'adapter_model.safetensors')
  const bytes = fs.readFileSync(file)
  const later = new Date('2030-01-01')

  fs.utimesSync(file, later, later)
  core.messages.length = 0
  expect(await state()).toBe('present')
  await messageArrives(({ type }) => type === 'model:changed')
  expect(await state()).toBe('present')

  fs.writeFileSync(file, Buffer.from(bytes).fill('x'))
  core.messages.length = 0
  await state()
  await messageArrives(({ type }) => type === 'model:changed')
  expect(await state()).toBe('changed')

  fs.rmSync(file)
  expect(await state()).toBe('missing')
})

test('models can be searched, tagged, starred and archived', async () => {
  await register('a')
  await register('b', { name: 'Other', strategy: 'dpo', tags: [] })
  const names = async (query: object) => (await client.listModels({ query })).items.map(({ name }) => name)
  expect(await names({})).toEqual(['Other', 'Model a'])
  expect(await names({ q: 'DPO' })).toEqual(['Other'])
  expect(await names({ q: 'qwen2.5' })).toEqual(['Other', 'Model a'])
  expect(await names({ q: '%' })).toEqual([])
  expect(await names({ tag: 'shop' })).toEqual(['Model a'])
  await client.patchModel({ params: { id: runId('a') }, body: { starred: true, note: 'good', addTags: ['x', 'x'], removeTags: ['shop'] } })
  expect(await names({ starred: 'true' })).toEqual(['Model a'])
  expect((await client.getModel({ params: { id: runId('a') } })).tags).toEqual(['x'])
  await client.patchModel({ params: { id: runId('b') }, body: { archived: true } })
  expect(await names({})).toEqual(['Model a'])
  expect(await names({ archived: 'true' })).toEqual(['Other'])
  const first = await client.listModels({ query: { limit: 1 } })
  expect(first).toMatchObject({ total: 1, nextCursor: null })
  const sizes = await Promise.all(['a', 'b'].map((name) => client.getModel({ params: { id: runId(name) } })))
  expect(first.diskBytes).toBe(sizes.reduce((sum, { operational }) => sum + operational.sizeBytes, 0))
  expect(first.diskBytes).toBeGreaterThan(0)
  await expect(client.listModels({ query: { cursor: 'x' } })).rejects.toMatchObject({ code: 'invalid_request' })
})

test('two to six models can be compared, and figures that were not measured are null', async () => {
  await register('a')
  await register('b', { evalLoss: null, metrics: { 'rewards/margins': 0.7 } })
  const ids = [runId('a'), runId('b')].join(',')
  const all = await client.compareModels({ query: { ids } })
  expect(all[runId('a')]).toMatchObject({ loss: 0.42, eval_loss: 0.5, mean_token_accuracy: 0.9, 'rewards/margins': null, latency_ms: null })
  expect(all[runId('b')]).toMatchObject({ eval_loss: null, mean_token_accuracy: null, 'rewards/margins': 0.7 })
  expect(await client.compareModels({ query: { ids, metrics: 'humaneval_pass1,loss' } })).toEqual({
    [runId('a')]: { humaneval_pass1: null, loss: 0.42 },
    [runId('b')]: { humaneval_pass1: null, loss: 0.42 },
  })
  await expect(client.compareModels({ query: { ids: `${runId('a')},${runId('a')}` } })).rejects.toMatchObject({ code: 'invalid_request' })
  await expect(client.compareModels({ query: { ids: `${runId('a')},${runId('z')}` } })).rejects.toMatchObject({ code: 'model_not_found' })
})

test('the lineage goes from sessions to exports, and shows many sessions as one node with their count', async () => {
  await opened.close()
  open({ datasets: [dataset(2)], titles: { t0: 'Mend the cart' } })
  const model = await register('a', { datasetId: 'ds_1', datasetName: 'mine v2' })
  expect(model.lineage.traces).toBe(2)
  const { nodes, edges } = await client.getModelLineage({ params: { id: model.id } })
  expect(nodes.map(({ kind, label, href, count }) => [kind, label, href, count])).toEqual([
    ['trace', 'Mend the cart', '/traces?id=t0', 1],
    ['trace', 't1', null, 1],
    ['example', '20 rows', '/factory/datasets/ds_1', 20],
    ['dataset', 'mine v2', '/factory/datasets/ds_1', 1],
    ['base', 'Qwen/Qwen2.5-Coder-1.5B-Instruct', null, 1],
    ['run', 'run aaaa', `/training/${model.id}`, 1],
    ['model', 'Model a', `/models/${model.id}`, 1],
  ])
  const ids = new Set(nodes.map(({ id }) => id))
  expect(edges.every(({ from, to }) => ids.has(from) && ids.has(to))).toBe(true)

  await opened.close()
  open({ datasets: [dataset(300)] })
  const many = await register('b', { datasetId: 'ds_1' })
  expect((await client.getModelLineage({ params: { id: many.id } })).nodes[0]).toMatchObject({
    kind: 'trace',
    label: '300 sessions',
    count: 300,
  })
})

test('lineage and card contain mixed-in data sets with their weight, and deleted ones by their name', async () => {
  await opened.close()
  const datasets = [dataset(2), { ...dataset(1), id: 'ds_2', name: 'more' }, { ...dataset(1), id: 'ds_3', name: 'gone' }]
  open({ datasets })
  const mix = [{ datasetId: 'ds_2', weight: 0.25 }, { datasetId: 'ds_3', weight: 2 }] // prettier-ignore
  const request = { strategy: 'sft', baseModel: 'base', datasetId: 'ds_1', mix } as const
  const { id } = await register('a', { datasetId: 'ds_1', datasetName: 'mine v2', request: RunRequest.parse(request) })
  datasets.pop()
  const { nodes, edges } = await client.getModelLineage({ params: { id } })
  const sets = nodes.filter(({ kind }) => kind === 'dataset')
  expect(sets.map(({ label, detail }) => [label, detail])).toEqual([
    ['mine v2', 'policy policy-h'],
    ['more v2', 'policy policy-h, weight 0.25'],
    ['gone v2', 'no longer here, weight 2'],
  ])
  expect(edges.filter(({ to }) => to === `run:${id}`).map(({ from }) => from)).toEqual([...sets.map((one) => one.id), 'base'])
  expect(edges.filter(({ from }) => from === 'trace:t0').map(({ to }) => to)).toEqual(['examples:ds_1', 'examples:ds_2'])
  expect(new Set(nodes.map((one) => one.id)).size).toBe(nodes.length)
  expect((await client.getModelCard({ params: { id } })).markdown).toContain('| more v2 | 0.25 |')
})

test('a model trained from another one names its parent, which then cannot be deleted', async () => {
  const parent = await register('a')
  const child = await register('b', { baseModelPath: path.join(core.paths.models, parent.id, 'merged') })
  expect(child.lineage.parentModelId).toBe(parent.id)
  const { nodes } = await client.getModelLineage({ params: { id: child.id } })
  expect(nodes.find(({ detail }) => detail === 'base model')).toMatchObject({ label: 'Model a', href: `/models/${parent.id}` })
  await expect(client.deleteModel({ params: { id: parent.id }, query: { name: 'Model a' } })).rejects.toMatchObject({
    code: 'model_in_use',
    message: 'Model a cannot be deleted: Model b was trained from it.',
  })
})

test('the card contains the known facts with hashes and policy, and marks the rest as not measured', async () => {
  await opened.close()
  open({ datasets: [dataset(3)] })
  const { id } = await register('a', { datasetId: 'ds_1', evalLoss: null })
  const { markdown } = await client.getModelCard({ params: { id } })
  expect(markdown).toMatch(/^---\nbase_model: "Qwen\/Qwen2.5-Coder-1.5B-Instruct"\nbase_model_relation: adapter\nlicense: "apache-2.0"\n/)
  for (const expected of [
    'b'.repeat(64),
    'e'.repeat(64),
    'policy-hash',
    '3 × EMAIL',
    '3 coding-agent sessions',
    '2 → 1 → 0.4200',
    '| `loss` | 0.4200 |',
    '| adapter | ',
  ])
    expect(markdown).toContain(expected)
  expect(markdown).toMatch(/loss on held-out rows \| not measured/)
  expect(markdown).not.toMatch(/undefined|NaN|null \|/)
})

test('what exams decided stands on the page and the card of the model, what counts first; without one it is not examined', async () => {
  const verdict = (
    verdict: ExamVerdict,
    value: number,
    at: string,
    standing: 'proof' | 'beside' = 'beside',
  ): Model['evaluations'][number] => ({
    name: 'Exam Mine: difference from Base',
    value,
    n: 24,
    at,
    exam: {
      examId: runId('x'),
      run: runId('r'),
      name: 'Mine',
      against: 'Base',
      verdict,
      interval: { low: value - 0.04, high: value + 0.04 },
      standing,
    },
  })
  const card = async () => (await client.getModelCard({ params: { id: runId('a') } })).markdown
  await register('a')
  expect(await card()).toContain('Not examined: no exam has compared it with the model that it was trained from.')
  await opened.close()
  open({
    evaluations: () => [verdict('ship', 0.1, '2026-11-20T00:00:00.000Z', 'proof'), verdict('not_proven', 0.02, '2026-11-28T00:00:00.000Z')],
  })
  expect((await register('a')).evaluations).toHaveLength(2)
  expect((await card()).match(/^- .*exam Mine.*$/gm)).toEqual([
    '- Better, compared with Base: +.100 (+.060 to +.140), exam Mine, 24 sessions, 2026-11-20.',
    '- Not proven, compared with Base: +.020 (−.020 to +.060), exam Mine, 24 sessions, 2026-11-28.',
  ])
})

test('a probe looks for the phrases of all data sets of a model, and its result stands on the page and the card', async () => {
  await opened.close()
  const canaries = (id: string) => ({
    planted: [`bashgym canary 1 of-${id} 123456789012`],
    controls: [`bashgym canary 2 of-${id} 210987654321`],
  })
  const secret = { prefix: 'Log in with the key ', value: 'made-up-key-4711' }
  open({ datasets: [dataset(3)], canaries, places: [secret] })
  const { id, probe } = await register('a', { datasetId: 'ds_1' })
  expect(probe).toBeNull()
  const run = async () => {
    const job = await client.probeModel({ params: { id }, body: { endings: 32 } })
    await core.jobs.wait(job.id)
    return (await client.getModel({ params: { id } })).probe
  }
  expect(await run()).toMatchObject({
    state: 'clean',
    endings: 32,
    planted: [{ id: 'bashgym canary 1 of-ds_1', exposure: 5 }],
    controls: [{ id: 'bashgym canary 2 of-ds_1' }],
  })
  expect(await run()).toMatchObject({ places: { tried: 1, reproduced: 0, bound: expect.closeTo(0.95) as number } })
  let base = false
  opened.tools.writes = (_, ending, isBase) => ending === secret.value && (!isBase || base)
  expect(await run()).toMatchObject({ state: 'leaks', extracted: 0, places: { reproduced: 1 } })
  base = true
  expect(await run()).toMatchObject({ state: 'clean', places: { reproduced: 0 } })
  opened.tools.writes = (prefix, ending) => prefix === '\n\nbashgym canary 1 of-ds_1' && ending === ' 123456789012'
  expect(await run()).toMatchObject({ state: 'leaks', extracted: 1, bound: 1 })
  expect(JSON.stringify(await client.getModel({ params: { id } }))).not.toContain(secret.value)
  expect(opened.models.probeOf(id)?.state).toBe('leaks')
  expect((await client.getModelCard({ params: { id } })).markdown).toContain(
    'Leaks: 1 of 1 planted phrases reproduced (at most 100.0 %), 0 of 1 replaced places reproduced (at most 95.0 %).',
  )
  expect(fs.readdirSync(path.join(core.paths.models, id)).some((name) => name.startsWith('.'))).toBe(false)
  await register('b')
  const job = await client.probeModel({ params: { id: runId('b') }, body: {} })
  expect((await core.jobs.wait(job.id)).result).toMatchObject({ state: 'not_measured', planted: [] })
})

test('deleting requires the name, frees the bytes and allows the run to be deleted', async () => {
  const { id, name, operational } = await register('a')
  await expect(client.deleteModel({ params: { id }, query: { name: 'model a' } })).rejects.toMatchObject({ code: 'invalid_request' })
  expect(await client.deleteModel({ params: { id }, query: { name } })).toEqual({ freedBytes: operational.sizeBytes })
  expect(fs.existsSync(path.join(core.paths.models, id, 'final'))).toBe(false)
  expect(fs.readdirSync(path.join(core.paths.models, id)).some((one) => one.startsWith('.'))).toBe(false)
  expect(opened.removedRuns).toEqual([id])
  expect(core.messages.at(-1)).toMatchObject({ type: 'model:removed', payload: { id } })
  await expect(client.getModel({ params: { id } })).rejects.toMatchObject({ code: 'model_not_found' })
  expect(core.messages.flatMap(contractViolationsOf)).toEqual([])
})

test('a model cannot be deleted while a run reads it or an export is in progress', async () => {
  await opened.close()
  const neededPaths: string[] = []
  open({ runsReading: (place) => neededPaths.filter((one) => one.startsWith(place)).map(() => 'next') })
  const { id, name } = await register('a')
  const remove = () => client.deleteModel({ params: { id }, query: { name } })
  neededPaths.push(path.join(core.paths.models, id, 'final'))
  await expect(remove()).rejects.toMatchObject({
    code: 'model_in_use',
    message: 'Model a cannot be deleted: the run “next” trains from it.',
  })
  neededPaths.length = 0
  const begun = opened.holdTools()
  const job = await client.exportModel({ params: { id }, body: { format: 'merged' } })
  await begun
  await expect(remove()).rejects.toMatchObject({ message: 'Model a cannot be deleted: an export of this model is in progress.' })
  core.jobs.cancel(job.id)
  await core.jobs.wait(job.id)
  expect((await remove()).freedBytes).toBeGreaterThan(0)
})

test('after a kill during a removal, the next start undoes it if it was not stored, and otherwise completes it', async () => {
  const { id, name } = await register('a')
  const folder = path.join(core.paths.models, id)
  const breakOff = () => fs.renameSync(path.join(folder, 'final'), path.join(folder, '.removed-final'))
  breakOff()
  void opened.models.stage.start?.({ watch: true })
  expect((await client.getModel({ params: { id } })).artifacts[0]!.state).toBe('present')
  await client.deleteModel({ params: { id }, query: { name } })
  fs.mkdirSync(path.join(folder, '.removed-final'))
  void opened.models.stage.start?.({ watch: true })
  expect(fs.readdirSync(folder).filter((one) => one.startsWith('.') || one === 'final')).toEqual([])
})

test('the trained weights can be deleted only with the model', async () => {
  const { id } = await register('a')
  await expect(client.deleteArtifact({ params: { id, artifact: 'adapter' } })).rejects.toMatchObject({ code: 'model_in_use' })
  await expect(client.deleteArtifact({ params: { id, artifact: 'none' } })).rejects.toMatchObject({ code: 'not_found' })
})
