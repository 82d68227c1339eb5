import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { DatasetRecipe, type Dataset, type DatasetBuilt, type SplitName } from '#contracts/entities/dataset.ts'
import { openCore, type TestCore } from '#server/testing/core.ts'
import { canMount } from '#server/testing/mounts.ts'
import { newFolder } from '#server/testing/folders.ts'
import type { DataRow } from '../curate/candidate.ts'
import { testCandidate, testDatasets, testRow, traceIdOf } from './testing-rows.ts'

const cores: TestCore[] = []
const newCore = (dataDir?: string) => {
  const core = openCore(dataDir === undefined ? {} : { dataDir })
  cores.push(core)
  return core
}
afterEach(async () => {
  for (const core of cores.splice(0)) await core.close()
})

const linesOf = (core: TestCore, id: string, file: string) =>
  fs.readFileSync(path.join(core.paths.datasets, id, file), 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
const resultOf = (job: { result: unknown }) => job.result as DatasetBuilt

describe('a build', () => {
  test('writes files with the hashes in the manifest, the funnel, and a database row', async () => {
    const core = newCore()
    const repeatedRow = testRow('sft', 900, 0)
    const more = [testCandidate({ id: 'a1', traceIds: [traceIdOf(0)], row: repeatedRow, quality: 0.9 }), testCandidate({ id: 'a2', traceIds: [traceIdOf(1)], row: repeatedRow, quality: 0.8 })] // prettier-ignore
    const { datasets, build, ids } = testDatasets(core, { sessions: 20, perSession: 3, more })
    const job = await build({ split: { val: 0.2 }, maxTokens: 10 })
    expect(job.error).toBeNull()
    const result = resultOf(job)
    expect(result).toMatchObject({ name: 'fixes', version: 1, kind: 'sft', duplicates: 1, contaminated: 0, seed: 42 })
    expect(result.counts).toMatchObject({ sessions: 20, segments: 60, examples: 62, test: 0 })
    expect(result.counts.train + result.counts.val).toBe(61)
    expect(result.tokens).toMatchObject({ exact: false, truncated: 61 })

    const dataset = datasets.get(result.id)
    for (const file of dataset.files) {
      const bytes = fs.readFileSync(path.join(core.paths.datasets, result.id, file.path))
      expect([bytes.length, hash('sha256', bytes)]).toEqual([file.bytes, file.sha256])
    }
    expect(dataset.funnel.map(({ stage, in: came, out }) => [stage, came, out])).toEqual([
      ['filter', 20, 20],
      ['segments', 60, 60],
      ['parts', 60, 62],
      ['review', 62, 62],
      ['shared answers', 62, 62],
      ['dedup', 62, 61],
      ['decontamination', 61, 61],
      ['balance', 61, 61],
      ['share per session', 61, 61],
      ['privacy', 61, 61],
      ['split', 61, 61],
    ])
    expect(dataset.sources).toHaveLength(20)
    const sessions = () => core.db.prepare('SELECT trace_id, split FROM dataset_sessions WHERE dataset_id = ? ORDER BY 1').all(result.id)
    const stored = sessions()
    expect(stored).toEqual(
      dataset.sources.map(({ traceId, split }) => ({ trace_id: traceId, split })).toSorted((a, b) => (a.trace_id < b.trace_id ? -1 : 1)),
    )
    core.db.exec('DELETE FROM dataset_sessions; UPDATE datasets SET sessions_stored = 0') // as versions that were built before
    await datasets.storeSessions()
    expect(sessions()).toEqual(stored)
    datasets.forget(dataset.sources[0]!.traceId)
    expect(sessions()).toHaveLength(19)
    expect(dataset.sources[0]).toMatchObject({ contentHash: expect.stringMatching(/^sha-/) as string })
    expect(dataset.policyHash).toBe('policy-1')
    expect(dataset.privacy?.records).toBe(61)
    expect(linesOf(core, result.id, 'dropped.jsonl')).toEqual([
      { stage: 'dedup', reason: 'exact duplicate', traceId: ids[1], exampleId: 'a2', detail: 'a1' },
    ])
    expect(core.messages.map(({ type }) => type)).toContain('dataset:added')
    expect(fs.readdirSync(core.paths.datasets).toSorted()).toEqual(['collections', result.id])
    expect(fs.statSync(path.join(core.paths.datasets, result.id, 'train.jsonl')).mode & 0o777).toBe(0o600)
    expect(fs.statSync(core.paths.datasetKey).mode & 0o777).toBe(0o600)
  })

  test('trains each answer once that a fork copied: in the session it was copied from', async () => {
    const core = newCore()
    const [one, fork] = [traceIdOf(0), traceIdOf(1)]
    const row = (from: number, to: number) => ({
      messages: Array.from({ length: to - from }, (_, at) => [{ role: 'user' as const, content: `Ask ${from + at}` }, { role: 'assistant' as const, content: `Answer ${from + at}` }]).flat(), // prettier-ignore
      tools: [],
    })
    const stepsOf = (traceId: string, from: number, to: number) => Array.from({ length: to - from }, (_, at) => [null, `${traceId}:uuid-${from + at}:0`]).flat() // prettier-ignore
    const candidate = (id: string, traceId: string, from: number, to: number, at = 0) =>
      testCandidate({ id, traceIds: [traceId], at, row: row(from, to), stepIds: stepsOf(traceId, from, to) })
    const more = [candidate('a', one, 0, 3), candidate('b', fork, 0, 2, 5), candidate('c', fork, 2, 5, 5), candidate('d', traceIdOf(2), 0, 2, 9)] // prettier-ignore
    const { traces } = testDatasets(core, { sessions: 3, perSession: 0 }).deps
    const { build } = testDatasets(
      core,
      { sessions: 3, perSession: 0, more },
      { traces: { ...traces, families: async () => [[one, fork]] } },
    )
    const { id } = resultOf(await build({ dedup: { near: false, threshold: 0.9 }, split: { val: 0 }, sessionShare: 1 }))
    const rows = linesOf(core, id, 'train.jsonl') as unknown as { messages: { content: string; role: string; weight?: number }[] }[]
    const trained = rows.flatMap(({ messages }) => messages.filter(({ role, weight }) => role === 'assistant' && weight !== 0).map(({ content }) => content)) // prettier-ignore
    // the session of no family happens to have the same ids, and keeps its answers
    expect(trained.toSorted()).toEqual(['Answer 0', 'Answer 0', 'Answer 1', 'Answer 1', 'Answer 2', 'Answer 3', 'Answer 4'])
    expect(linesOf(core, id, 'dropped.jsonl')).toMatchObject([{ stage: 'shared answers', exampleId: 'b' }])
  })

  test('is byte-identical for the same recipe and sources, but not for another seed', async () => {
    const core = newCore()
    const { build } = testDatasets(core, { sessions: 15, perSession: 2 })
    const bytesOf = (id: string) =>
      ['train.jsonl', 'val.jsonl', 'rows.jsonl', 'dropped.jsonl'].map((file) =>
        fs.readFileSync(path.join(core.paths.datasets, id, file), 'utf8'),
      )
    const [one, two] = [resultOf(await build()), resultOf(await build())]
    expect([one.version, two.version]).toEqual([1, 2])
    expect(bytesOf(two.id)).toEqual(bytesOf(one.id))
    const other = resultOf(await build({ name: 'others', seed: 7 }))
    expect(bytesOf(other.id)).not.toEqual(bytesOf(one.id))
  })

  test('keeps the split of each session when a later version has more sessions', async () => {
    const core = newCore()
    const sides = (dataset: Dataset) => new Map(dataset.sources.map(({ traceId, split }) => [traceId, split]))
    const first = testDatasets(core, { sessions: 10, perSession: 2 })
    const before = sides(first.datasets.get(resultOf(await first.build({ split: { val: 0.3 } })).id))
    const second = testDatasets(core, { sessions: 40, perSession: 2 })
    const after = sides(second.datasets.get(resultOf(await second.build({ split: { val: 0.3 } })).id))
    for (const [id, side] of before) expect(after.get(id)).toBe(side)
    expect([...after.values()].filter((side) => side === 'val').length).toBeGreaterThan(
      [...before.values()].filter((side) => side === 'val').length,
    )
  })

  test('drops and counts rows with secrets in calls, if the recipe asks for it', async () => {
    const core = newCore()
    const key = `sk-ant-api03-${'Qz7'.repeat(31)}AA`
    const rowWith = (command: string, answer: string): DataRow => ({
      messages: [
        { role: 'user', content: 'deploy it with the key of the project' },
        {
          role: 'assistant',
          content: answer,
          tool_calls: [{ id: 'c1', type: 'function', function: { name: 'Bash', arguments: { command } } }],
        },
        { role: 'tool', tool_call_id: 'c1', name: 'Bash', content: `used ${key}` },
      ],
      tools: [],
    })
    const more = [
      testCandidate({ id: 'in-call', row: rowWith(`deploy --key ${key}`, 'I deploy it from the main branch.') }),
      testCandidate({ id: 'in-output', row: rowWith('make deploy', 'The key is in the environment, so I run the make target.') }),
    ]
    const { datasets, build } = testDatasets(core, { sessions: 2, perSession: 1, more })
    const all = resultOf(await build())
    expect(all.counts.train + all.counts.val).toBe(4)
    const without = resultOf(await build({ dropSecretCalls: true }))
    expect(without.counts.train + without.counts.val).toBe(3)
    expect(datasets.get(without.id).funnel.find(({ stage }) => stage === 'privacy')).toMatchObject({
      in: 4,
      out: 3,
      dropped: [{ reason: 'secret in a tool call', count: 1 }],
    })
    expect(linesOf(core, without.id, 'dropped.jsonl')).toMatchObject([{ stage: 'privacy', exampleId: 'in-call' }])
  })

  test('drops rows that overlap with held-out items, and lists the overlap', async () => {
    const core = newCore()
    const { build } = testDatasets(core, { sessions: 5, perSession: 1 })
    const { messages } = testRow('sft', 3, 0) as { messages: { content: string }[] }
    const file = path.join(core.config.dataDir, 'exam.jsonl')
    fs.writeFileSync(file, `${JSON.stringify({ task_id: 'e1', prompt: messages[1]!.content })}\n`)
    const result = resultOf(await build({ against: [file] }))
    expect(result.contaminated).toBe(1)
    const [droppedRow] = linesOf(core, result.id, 'dropped.jsonl')
    expect(droppedRow).toMatchObject({
      stage: 'decontamination',
      exampleId: 'x-3-0',
      detail: expect.stringMatching(/^exam\.jsonl:1: /) as string,
    })
    expect(result.redactions).toEqual({}) // what the list of drops had replaced is not counted among the rows
    fs.writeFileSync(file, '{"a": 1}\nno json\n')
    const expectedError = { code: 'path_refused', message: expect.stringMatching(/exam\.jsonl, line 2: not valid JSON/) as string }
    expect((await build({ against: [file] })).error).toMatchObject(expectedError)
    fs.writeFileSync(file, Buffer.from('{"prompt":"Grüße"}', 'latin1'))
    expect((await build({ against: [file] })).error?.message).toMatch(/exam\.jsonl, line 1: not valid UTF-8/)
  })

  test('fails if imported rows are removed during the build', async () => {
    const core = newCore()
    const file = path.join(core.config.dataDir, 'rows.jsonl')
    fs.writeFileSync(file, '{"prompt":"a","completion":"b"}\n')
    let collectionId = ''
    const plan = () => {
      datasets.removeCollection(collectionId)
      return []
    }
    const { build, datasets } = testDatasets(core, { sessions: 1, perSession: 1 }, { sources: [{ kinds: ['sft'], module: '', plan }] })
    const { result } = await core.jobs.wait(datasets.importRows({ file, columns: {}, skipInvalid: false }).id)
    collectionId = (result as { collection: { id: string } }).collection.id
    expect((await build({ include: [collectionId] })).error?.message).toContain('was removed while it was being read')
    expect(datasets.list({ limit: 10 }).total).toBe(0)
  })

  test('fails and leaves nothing behind if the policy changes during the build', async () => {
    const core = newCore()
    const { build, policy, datasets } = testDatasets(core, { sessions: 5, perSession: 1 }, { traces: {
      ids: async () => [traceIdOf(0)],
      trace: () => ({ quality: 1, tags: [], tier: 'gold', tierSource: 'policy', unverified: false, taskId: null, models: [] }),
      families: async () => {
        policy.policyHash = 'policy-2'
        return []
      },
      detail: () => ({ raw: { sha256: null } }),
    } }) // prettier-ignore
    expect((await build()).error).toMatchObject({
      code: 'policy_changed',
      message: expect.stringMatching(/changed during the build/) as string,
    })
    expect(fs.readdirSync(core.paths.datasets)).toEqual(['collections'])
    expect(datasets.list({ limit: 10 }).total).toBe(0)
  })

  test('leaves nothing behind when cancelled', async () => {
    const core = newCore()
    const { datasets } = testDatasets(core, { sessions: 2000, perSession: 5 })
    const job = datasets.build(DatasetRecipe.parse({ kind: 'sft' }))
    core.jobs.cancel(job.id)
    expect((await core.jobs.wait(job.id)).state).toBe('cancelled')
    expect(fs.readdirSync(core.paths.datasets)).toEqual(['collections'])
  })

  test('makes a version without rows, with the reasons, if everything is excluded', async () => {
    const core = newCore()
    const { build, datasets } = testDatasets(core, { sessions: 3, perSession: 1 })
    const result = resultOf(await build({ minQuality: 0.99 }))
    expect(result.counts).toMatchObject({ train: 0, val: 0, test: 0 })
    expect(result.files).toEqual([])
    expect(result.excluded).toEqual([{ reason: 'quality below 0.99', count: 3 }])
    expect(datasets.get(result.id).tokens).toBeNull()
  })

  test.skipIf(!canMount)('reports a full disk and leaves nothing behind', async () => {
    const dataDir = newFolder()
    const core = newCore(dataDir)
    const { build, datasets } = testDatasets(core, { sessions: 200, perSession: 20, words: 400 })
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', core.paths.datasets])
    try {
      fs.mkdirSync(path.join(core.paths.datasets, 'collections'))
      const job = await build()
      expect(job.error).toMatchObject({
        code: 'disk_full',
        message: expect.stringMatching(/is full, so the data set was not built/) as string,
      })
      expect(fs.readdirSync(core.paths.datasets)).toEqual(['collections'])
      expect(datasets.list({ limit: 10 }).total).toBe(0)
    } finally {
      execFileSync('umount', [core.paths.datasets])
    }
  })
})

describe('a version', () => {
  test('pages rows and dropped rows, with their origin', async () => {
    const core = newCore()
    const { build, datasets } = testDatasets(core, { sessions: 12, perSession: 2 })
    const { id, counts } = resultOf(await build({ split: { val: 0.25 } }))
    const all: { index: number; split: SplitName; exampleId: string | null }[] = []
    for (let cursor: string | undefined; ;) {
      const page = await datasets.rows(id, { limit: 7, cursor })
      all.push(...page.items)
      expect(page.total).toBe(24)
      if (page.nextCursor === null) break
      cursor = page.nextCursor
    }
    expect(all.map(({ index }) => index)).toEqual(Array.from({ length: 24 }, (_, index) => index))
    const val = await datasets.rows(id, { limit: 100, split: 'val' })
    expect([val.total, val.items.length]).toEqual([counts.val, counts.val])
    expect(val.items[0]).toMatchObject({ traceId: expect.any(String) as string, row: { metadata: { exampleId: val.items[0]!.exampleId } } })
    const ofTrace = await datasets.rows(id, { limit: 100, traceId: val.items[0]!.traceId! })
    expect(ofTrace.total).toBe(2)
    expect((await datasets.dropped(id, { limit: 10, stage: 'dedup' })).total).toBe(0)
    await expect(datasets.rows(id, { limit: 1, cursor: 'x' })).rejects.toMatchObject({ code: 'invalid_request' })
  })

  test('counts rows by group, and filters them by group', async () => {
    const more = ['Why does it crash?', 'Add a button'].map(
      (content, at) =>
      testCandidate({ id: `m${at}`, traceIds: [traceIdOf(at)], repo: at === 0 ? null : 'shop', row: { messages: [{ role: 'user', content }, { role: 'assistant', content: `Answer ${at}.` }], tools: [] } }), // prettier-ignore
    )
    const { build, datasets } = testDatasets(newCore(), { sessions: 6, perSession: 2, more })
    const { id, counts } = resultOf(await build({ split: { val: 0.3 } }))
    const { rows: total, groups } = await datasets.groups(id)
    expect(total).toBe(counts.train + counts.val)
    expect(groups.map(({ by }) => by)).toEqual(['repo', 'session', 'tool', 'task', 'language', 'length'])
    for (const { values } of groups) expect(values.reduce((sum, one) => sum + one.rows, 0)).toBe(total)
    expect(
      groups
        .find(({ by }) => by === 'repo')!
        .values.map(({ name }) => name)
        .toSorted(),
    ).toEqual(['api', 'none', 'shop'])
    for (const { by, values } of groups)
      for (const { name, rows } of values)
        expect([by, name, (await datasets.rows(id, { by, group: name, limit: 1 })).total]).toEqual([by, name, rows])
    const shop = await datasets.rows(id, { by: 'repo', group: 'shop', limit: 10 })
    expect(shop.items.map(({ row }) => (row['metadata'] as { repo: string }).repo)).toEqual(['shop'])
    expect((await datasets.rows(id, { by: 'repo', group: 'other', limit: 10 })).total).toBe(0)
    const train = await datasets.rows(id, { by: 'repo', group: 'api', split: 'train', limit: 1 })
    expect(train.total).toBeLessThan((await datasets.rows(id, { by: 'repo', group: 'api', limit: 1 })).total)
  })

  test('lists dropped rows with the titles of their sessions', async () => {
    const repeatedRow = testRow('sft', 900, 0)
    const more = ['a1', 'a2'].map((exampleId, at) =>
      testCandidate({ id: exampleId, traceIds: [traceIdOf(at)], row: repeatedRow, quality: 1 - at / 10 }),
    )
    const titleOf = (traceId: string) => (traceId === traceIdOf(1) ? 'Mend the parser' : null)
    const { build, datasets } = testDatasets(newCore(), { sessions: 4, perSession: 1, more }, { titleOf })
    const { id } = resultOf(await build())
    expect((await datasets.dropped(id, { limit: 10 })).items).toMatchObject([{ traceId: traceIdOf(1), title: 'Mend the parser' }])
  })

  test('is compared with another version by rows and recipe', async () => {
    const core = newCore()
    const one = testDatasets(core, { sessions: 6, perSession: 1 })
    const a = resultOf(await one.build({ dedup: { near: false } }))
    const changed = testCandidate({ id: 'x-0-0', traceIds: [traceIdOf(0)], row: testRow('sft', 0, 50) })
    const two = testDatasets(core, { sessions: 8, perSession: 1 }, { sources: [{
      kinds: ['sft'],
      module: new URL('./testing-rows.ts', import.meta.url).href,
      plan: (chosen) => [{ kind: 'sft', sessions: chosen.filter((one) => one !== traceIdOf(0)), perSession: 1, words: 40, more: [changed] }],
    }] }) // prettier-ignore
    const b = resultOf(await two.build({ dedup: { near: true } }))
    const difference = await two.datasets.compare(a.id, b.id, { limit: 100 })
    expect(difference.counts).toEqual({ added: 2, removed: 0, changed: 1, moved: 0, same: 5 })
    expect(difference.items.map(({ exampleId, change }) => [exampleId, change])).toEqual([['x-0-0', 'changed'], ['x-6-0', 'added'], ['x-7-0', 'added']]) // prettier-ignore
    expect(difference.recipe).toEqual([{ path: 'dedup.near', a: false, b: true }])
    const first = await two.datasets.compare(a.id, b.id, { limit: 1 })
    expect((await two.datasets.compare(a.id, b.id, { limit: 5, cursor: first.nextCursor! })).items).toHaveLength(2)
  })

  test('can be restored after its removal, and cannot be removed while a run uses it', async () => {
    const core = newCore()
    let runs: { id: string; name: string }[] = []
    const { build, datasets } = testDatasets(core, { sessions: 3, perSession: 1 }, { usedBy: () => ({ runs, models: [] }) })
    const { id } = resultOf(await build())
    datasets.remove(id)
    expect(datasets.list({ limit: 5 }).total).toBe(0)
    expect(() => datasets.get(id)).toThrow(expect.objectContaining({ code: 'dataset_not_found' }))
    datasets.restore(id)
    expect(datasets.get(id).id).toBe(id)
    runs = [
      { id: 'run-1', name: 'first' },
      { id: 'run-2', name: 'second' },
    ]
    expect(() => datasets.remove(id)).toThrow(
      expect.objectContaining({
        code: 'dataset_in_use',
        message: expect.stringMatching(/v1 cannot be removed: 2 runs “first”, “second” use it\.$/) as string,
        details: { runs },
      }),
    )
    expect(datasets.get(id).lineage.runs).toEqual(runs)
    expect(datasets.list({ limit: 5 }).items[0]?.runs).toEqual(['run-1', 'run-2'])
  })

  test('at start, deletes leftovers and makes the folders match the database', async () => {
    const core = newCore()
    const { build } = testDatasets(core, { sessions: 3, perSession: 1 })
    const [keptVersion, removedVersion] = [resultOf(await build()), resultOf(await build())]
    const at = (name: string) => path.join(core.paths.datasets, name)
    fs.mkdirSync(at('.building-x/work'), { recursive: true })
    fs.mkdirSync(at('ds_without_row'))
    fs.writeFileSync(path.join(core.paths.datasets, 'collections', '.importing-rows_1'), 'half')
    fs.renameSync(at(keptVersion.id), at(`.removed-${keptVersion.id}`)) // a removal that was not committed
    core.db.prepare('UPDATE datasets SET removed_at = 1 WHERE id = ?').run(removedVersion.id) // long ago
    const { datasets } = testDatasets(core, { sessions: 3, perSession: 1 })
    expect(fs.readdirSync(core.paths.datasets).toSorted()).toEqual(['collections', keptVersion.id])
    expect(fs.readdirSync(at('collections'))).toEqual([])
    expect(datasets.list({ limit: 5 }).items.map(({ id }) => id)).toEqual([keptVersion.id])
    expect(resultOf(await build()).version).toBe(2)
  })
})
