import fs from 'node:fs'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { DatasetBuilt, DatasetKind, RowImport } from '#contracts/entities/dataset.ts'
import { resultOf } from '#server/testing/core.ts'
import { startTestServer, type TestServer } from '#server/testing/server.ts'
import { newFolder } from '#server/testing/folders.ts'
import { CHATML, writeTokenizer } from '../preview/testing-tokenizer.ts'
import { testRow } from './testing-rows.ts'

let server: TestServer
let folder: string
beforeEach(async () => {
  server = await startTestServer()
  folder = newFolder()
})
afterEach(() => server.close())

const result = <T>(job: { id: string }) => resultOf<T>(server.app.core, job)
const importRows = async (rows: object[], kind: DatasetKind) => {
  const file = path.join(folder, `${kind}.jsonl`)
  fs.writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''))
  return result<RowImport>(await server.client.importRows({ body: { file, kind } }))
}
const build = async (kind: DatasetKind, collection: string, options: object = {}) =>
  result<DatasetBuilt>(await server.client.buildDataset({ body: { kind, name: 'outside', include: [collection], dedup: { near: false }, ...options } })) // prettier-ignore
const rows = (count: number) => Array.from({ length: count }, (_, index) => testRow('sft', index, 0))

test('builds, lists, reads, compares, exports, downloads, removes and restores a version over HTTP', async () => {
  const { client } = server
  const { collection } = await importRows([...rows(10), rows(1)[0]!], 'sft')
  expect(collection).toMatchObject({ rows: 11, kind: 'sft' })
  const first = await build('sft', collection!.id, { split: { val: 0.3 } })
  expect(first).toMatchObject({ name: 'outside', version: 1, duplicates: 1 })
  const { id } = first
  const params = { id }
  expect((await client.listDatasets({ query: { name: 'outside', kind: 'sft' } })).items.map((one) => one.id)).toEqual([id])
  expect((await client.listDatasets({ query: { kind: 'dpo' } })).total).toBe(0)
  expect(await client.getDataset({ params })).toMatchObject({ id, counts: first.counts, options: { include: [collection!.id] } })

  const page = await client.listDatasetRows({ params, query: { limit: 4 } })
  expect([page.items.length, page.total]).toEqual([4, 10])
  const next = await client.listDatasetRows({ params, query: { limit: 100, cursor: page.nextCursor! } })
  expect(next.items.map(({ index }) => index)).toEqual([4, 5, 6, 7, 8, 9])
  const val = await client.listDatasetRows({ params, query: { split: 'val' } })
  expect(val.total).toBe(first.counts.val)
  const dropped = await client.listDroppedRows({ params, query: { stage: 'dedup' } })
  expect(dropped.items).toMatchObject([{ reason: 'exact duplicate', traceId: null, title: null }])
  const { groups } = await client.groupDataset({ params })
  for (const { by, values } of groups)
    for (const { name, rows: count } of values)
      expect((await client.listDatasetRows({ params, query: { by, group: name } })).total).toBe(count)

  await expect(build('sft', collection!.id, { split: { val: 0.5, test: 0.5 } })).rejects.toMatchObject({
    code: 'invalid_request',
    message: expect.stringContaining('leave no rows to train on') as string,
  })

  const second = await build('sft', collection!.id, { split: { val: 0 } })
  const compared = await client.compareDatasets({ query: { a: id, b: second.id } })
  expect(compared.counts).toEqual({ added: 0, removed: 0, changed: 0, moved: first.counts.val, same: first.counts.train })
  expect(compared.recipe.map((one) => one.path)).toEqual(['split.val'])

  const out = path.join(folder, 'out')
  const exported = await client.exportDataset({ params, body: { format: 'openai', out } })
  expect(exported.files.filter((file) => file.path.endsWith('train.jsonl'))).toMatchObject([{ rows: first.counts.train }])
  await expect(client.exportDataset({ params, body: { format: 'trl-preference', out: `${out}2` } })).rejects.toMatchObject({ code: 'export_unsupported' }) // prettier-ignore
  for (const place of [out, '/proc/nope', '/proc/no/pe'])
    await expect(client.exportDataset({ params, body: { format: 'trl', out: place } })).rejects.toMatchObject({ code: 'path_refused' })
  const sent = await fetch(`${server.url}/api/datasets/${id}/download?format=trl`, { headers: { authorization: server.authorization } })
  expect([sent.status, sent.headers.get('content-type')]).toEqual([200, 'application/x-tar'])
  expect(Buffer.from(await sent.arrayBuffer()).includes('outside-v1-trl/train.jsonl')).toBe(true)
  expect(fs.readdirSync(server.app.core.paths.datasets).filter((name) => name.startsWith('.building'))).toEqual([])

  expect(await client.deleteDataset({ params, query: {} })).toMatchObject({ id })
  await expect(client.getDataset({ params })).rejects.toMatchObject({ code: 'dataset_not_found' })
  await expect(client.listDatasetRows({ params, query: {} })).rejects.toMatchObject({ code: 'dataset_not_found' })
  expect(await client.restoreDataset({ params, body: {} })).toMatchObject({ id })
  expect((await client.listDatasetRows({ params, query: { limit: 1 } })).total).toBe(10)
  await expect(client.restoreDataset({ params: { id: 'none' }, body: {} })).rejects.toMatchObject({ code: 'dataset_not_found' })
  expect(server.contractViolations).toEqual([])
})

test('counts the same tokens in the manifest as in the previews of the rows', async () => {
  const { client } = server
  const tokenizer = writeTokenizer(path.join(folder, 'bytes'), { chat_template: CHATML })
  const { collection } = await importRows(rows(6), 'sft')
  const { id, tokens } = await build('sft', collection!.id, { baseModel: tokenizer, maxTokens: 860 })
  const counts: number[] = []
  for (let index = 0; index < 6; index += 1)
    counts.push((await client.previewRow({ body: { tokenizer, row: { dataset: id, index } } })).tokens!)
  expect(tokens).toEqual({
    exact: true,
    tokenizer: 'bytes',
    refused: 0,
    total: counts.reduce((sum, count) => sum + count, 0),
    max: Math.max(...counts),
    truncated: counts.filter((count) => count > 860).length,
  })
  expect((await client.getDataset({ params: { id } })).tokens).toEqual(tokens)
})

test('keeps the fields of rewards through import, build and export, and rejects invalid ones by row and field', async () => {
  const prompt = (text: string) => [{ role: 'user', content: text }]
  const calls = [{ name: 'Bash', arguments: { command: 'npm test' } }]
  const rewarded = [
    { prompt: prompt('Run the tests of the parser.'), reference_calls: calls },
    { prompt: prompt('What is six times seven?'), answer: '42' },
    { prompt: prompt('Write a function that adds two numbers.'), tests: 'assert add(1, 2) == 3' },
    { prompt: 'Run them again, as JSON text.', reference_calls: JSON.stringify(calls) },
  ]
  const wrong = [
    { prompt: prompt('a'), answer: 42 },
    { prompt: prompt('b'), reference_calls: [{ name: 'Bash', arguments: 'npm test' }] },
    { prompt: prompt('c'), tests: '' },
  ]
  expect(await importRows(wrong, 'rlvr')).toMatchObject({
    collection: null,
    errors: [
      { row: 1, field: 'answer' },
      { row: 2, field: 'reference_calls' },
      { row: 3, field: 'tests' },
    ],
  })
  const { collection } = await importRows(rewarded, 'rlvr')
  const { id } = await build('rlvr', collection!.id, { split: { val: 0 } })
  const { files } = await server.client.exportDataset({ params: { id }, body: { format: 'trl' } })
  const train = files.find((file) => file.path.endsWith('train.jsonl'))!.path
  const written = fs.readFileSync(train, 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
  const rewardFields = (row: Record<string, unknown>) => [row['reference_calls'], row['answer'], row['tests']]
  expect(written.map(rewardFields).map((one) => JSON.stringify(one)).toSorted()).toEqual(
    [[calls, null, null], [calls, null, null], [null, '42', null], [null, null, 'assert add(1, 2) == 3']].map((one) => JSON.stringify(one)).toSorted(),
  ) // prettier-ignore
})
