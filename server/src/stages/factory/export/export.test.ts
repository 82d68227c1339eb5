import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import tar from 'tar-stream'
import { afterEach, describe, expect, test } from 'vitest'
import { ExportFormat, type DatasetBuilt, type ExportResult, type RowImport } from '#contracts/entities/dataset.ts'
import { openCore, type TestCore, resultOf } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { testCandidate, testDatasets, testRow, traceIdOf, type TestRows } from '../versions/testing-rows.ts'

const cores: TestCore[] = []
afterEach(async () => {
  for (const core of cores.splice(0)) await core.close()
})
const never = new AbortController().signal

async function version(kind: 'sft' | 'dpo' | 'kto' | 'prompts' = 'sft', rows: Partial<TestRows> = {}) {
  const core = openCore()
  cores.push(core)
  const testBuild = testDatasets(core, { sessions: 8, perSession: 2, ...rows })
  const { id } = (await testBuild.build({ kind, split: { val: 0.25 }, dedup: { near: false } })).result as DatasetBuilt
  const importFile = async (body: Record<string, unknown>) => {
    const started = testBuild.datasets.importRows({ columns: {}, skipInvalid: false, ...body } as Parameters<
      typeof testBuild.datasets.importRows
    >[0])
    return resultOf<RowImport>(core, started)
  }
  return { core, id, importFile, ...testBuild }
}

const linesOf = (file: string) => fs.readFileSync(file, 'utf8').split('\n').filter(Boolean).map((line) => JSON.parse(line) as Record<string, unknown>) // prettier-ignore
const rowsOf = (result: ExportResult, name: string) => linesOf(result.files.find((file) => path.basename(file.path) === name)!.path)

describe('an export', () => {
  test('is complete in every supported format, with the right hashes', async () => {
    const { datasets, id } = await version()
    const pairsOnly: ExportFormat[] = ['trl-preference', 'trl-unpaired']
    for (const format of pairsOnly)
      await expect(datasets.export(id, { format }, never)).rejects.toMatchObject({ code: 'export_unsupported' })
    for (const format of ExportFormat.options.filter((one) => !pairsOnly.includes(one))) {
      const result = await datasets.export(id, { format }, never)
      expect(result.format).toBe(format)
      for (const file of result.files) expect([format, hash('sha256', fs.readFileSync(file.path))]).toEqual([format, file.sha256])
      const rows = result.files
        .filter(({ path: name }) => /(train|val|validation)\.(jsonl|parquet)$/.test(name))
        .reduce((sum, file) => sum + file.rows, 0)
      expect([format, rows]).toEqual([format, format === 'alpaca' ? 0 : 16]) // Alpaca has no place for their calls
    }
  })

  test('has none of the phrases that were planted for models trained here; the ledger knows them and some that were never planted', async () => {
    const { core, build, datasets } = await version()
    const { id } = (await build({ kind: 'sft', name: 'planted', canaries: 3, dedup: { near: false } })).result as DatasetBuilt
    const { planted, controls } = datasets.canaries(id)
    const text = (file: string) => fs.readFileSync(file, 'utf8')
    const trained = text(path.join(core.paths.datasets, id, 'train.jsonl'))
    expect([planted.length, controls.length]).toEqual([3, 16])
    expect(planted.filter((phrase) => !trained.includes(phrase))).toEqual([])
    expect(controls.filter((phrase) => trained.includes(phrase))).toEqual([])
    const { files } = await datasets.export(id, { format: 'openai' }, never)
    const exported = files.map((file) => text(file.path)).join('')
    expect(exported).not.toContain('bashgym canary')
    expect(exported.split('\n').filter(Boolean)).toHaveLength(files.reduce((sum, { rows }) => sum + rows, 0))
  })

  test('is written below exports/ by default; NeMo has train.jsonl and val.jsonl', async () => {
    const { core, datasets, id } = await version()
    const result = await datasets.exportNewest(undefined, { format: 'nemo' }, never)
    expect(result.files.map((file) => path.relative(core.paths.exports, file.path))).toEqual([
      'fixes-v1-nemo/train.jsonl',
      'fixes-v1-nemo/val.jsonl',
    ])
    expect(rowsOf(result, 'train.jsonl')[0]).toMatchObject({
      messages: [{ role: 'system' }, { role: 'user' }, {}, {}, {}],
      tools: [{}],
      metadata: { traceId: expect.any(String) as string },
    })
    const second = await datasets.export(id, { format: 'nemo', split: 'val' }, never)
    expect(second.files.map((file) => path.relative(core.paths.exports, file.path))).toEqual(['fixes-v1-nemo-2/val.jsonl'])
  })

  test('never overwrites files or writes into the data directory, and leaves nothing incomplete', async () => {
    const { core, datasets, id } = await version()
    const folder = newFolder()
    fs.writeFileSync(path.join(folder, 'mine'), '')
    fs.symlinkSync(core.paths.datasets, path.join(folder, 'link'))
    for (const out of [
      'relative',
      folder,
      path.join(folder, 'mine'),
      core.paths.archive,
      path.join(core.paths.datasets, 'x'),
      path.join(folder, 'link', 'x'),
      core.config.dataDir,
    ])
      await expect(Promise.resolve().then(() => datasets.export(id, { format: 'trl', out }, never))).rejects.toMatchObject({
        code: 'path_refused',
      })
    const inner = path.join(folder, 'a', 'b')
    const result = await datasets.export(id, { format: 'trl', out: inner }, never)
    expect(result.files.every((file) => file.path.startsWith(inner + path.sep))).toBe(true)
    const aborted = AbortSignal.abort(new Error('gone'))
    await expect(datasets.export(id, { format: 'trl', out: path.join(folder, 'c') }, aborted)).rejects.toThrow('gone')
    expect(fs.readdirSync(folder).toSorted()).toEqual(['a', 'link', 'mine'])
  })

  test('passes the gate again after a policy change, with a warning', async () => {
    const row = testRow('sft', 500, 0) as { messages: { content: string }[] }
    row.messages[4]!.content = 'Wrote to ada.lovelace@acme-corp.io about it.'
    const { datasets, id, policy } = await version('sft', {
      more: [testCandidate({ id: 'm', traceIds: [traceIdOf(1)], row: row as never })],
    })
    const textOf = (result: ExportResult) => result.files.map((file) => fs.readFileSync(file.path, 'utf8')).join('')
    const first = await datasets.export(id, { format: 'trl' }, never)
    expect(first.warnings.join()).not.toMatch(/policy/)
    expect(textOf(first)).not.toContain('ada.lovelace@acme-corp.io')
    Object.assign(policy, { policyHash: 'policy-2', policy: { ...policy.policy, defaultStrategy: 'redact' } })
    const second = await datasets.export(id, { format: 'trl' }, never)
    expect(second.warnings[0]).toMatch(/policy has changed/)
    expect(datasets.get(id).policyHash).toBe('policy-1')
  })

  test('rejects a version without rows', async () => {
    const { build, datasets } = await version()
    const { id } = (await build({ minQuality: 0.99 })).result as DatasetBuilt
    const out = path.join(newFolder(), 'x')
    await expect(datasets.export(id, { format: 'nemo', out }, never)).rejects.toThrow(/no rows/)
    expect(fs.existsSync(out)).toBe(false)
  })

  test('fails and leaves nothing behind if files of the version are missing', async () => {
    const { core, datasets, id } = await version()
    fs.rmSync(path.join(core.paths.datasets, id, 'val.jsonl')) // as after a removal in another window
    const out = path.join(newFolder(), 'x')
    for (const format of ['nemo', 'parquet'] as const)
      await expect(datasets.export(id, { format, out }, never)).rejects.toMatchObject({ code: 'dataset_not_found' })
    expect(fs.readdirSync(path.dirname(out))).toEqual([])
  })

  test('can be downloaded as a tar, and then leaves no folder behind', async () => {
    const { core, datasets, id } = await version()
    const bytes = await datasets.download(id, { format: 'openai' }, never)
    const names: string[] = []
    const extract = tar.extract()
    const read = (async () => {
      for await (const entry of extract) {
        names.push(entry.header.name)
        entry.resume()
      }
    })()
    await Promise.all([pipeline(Readable.from(bytes.stream), extract), read])
    expect(names.toSorted()).toEqual(
      ['__metadata__/train.metadata.jsonl', '__metadata__/val.metadata.jsonl', 'train.jsonl', 'val.jsonl'].map(
        (name) => `fixes-v1-openai/${name}`,
      ),
    )
    expect(fs.readdirSync(core.paths.datasets).toSorted()).toEqual(['collections', id])
  })
})

describe('an import', () => {
  test.for(['sft', 'dpo', 'kto', 'prompts'] as const)('reads the same rows from exported Parquet and JSONL files: %s', async (kind) => {
    const { core, datasets, id, importFile, build } = await version(kind)
    const stored = linesOf(path.join(core.paths.datasets, id, 'train.jsonl')).map((row) => ({ ...row, metadata: undefined }))
    for (const format of ['trl', 'parquet', 'hf'] as const) {
      const result = await datasets.export(id, { format }, never)
      const file = result.files.find(({ path: name }) => /train\.(jsonl|parquet)$/.test(name))!.path
      const { collection } = await importFile({ file, name: format })
      expect(collection).toMatchObject({ kind, rows: stored.length, name: format })
      const imported = linesOf(path.join(core.paths.datasets, 'collections', `${collection!.id}.jsonl`)).map(({ row }) => row)
      expect(imported).toEqual(stored) // undefined counts as absent
    }
    const [first] = datasets.collections().items
    const job = await build({ kind, name: 'taken-in', include: [first!.id], dedup: { near: false } })
    expect(job.result).toMatchObject({ counts: { sessions: 0, examples: stored.length } })
    datasets.removeCollection(first!.id)
    expect(datasets.collections().items).toHaveLength(2)
    expect(() => datasets.removeCollection(first!.id)).toThrow(expect.objectContaining({ code: 'collection_not_found' }))
  })

  test('reports every invalid row by number and field, and stores nothing, or only valid rows if asked to', async () => {
    const { core, datasets, importFile } = await version()
    const file = path.join(newFolder(), 'rows.jsonl')
    fs.writeFileSync(file, ['{"q":"one","a":"1"}', 'no json', '{"q":"two"}', '', '{"q":"three","a":3}'].join('\n'))
    const columns = { prompt: 'q', completion: 'a' }
    const refused = await importFile({ file, columns })
    expect(refused).toMatchObject({ collection: null, read: 4, errorCount: 3, columns: ['q', 'a'] })
    expect(refused.errors.map(({ row, field }) => [row, field])).toEqual([[2, ''], [3, 'a'], [4, 'completion']]) // prettier-ignore
    expect(fs.readdirSync(path.join(core.paths.datasets, 'collections'))).toEqual([])
    const imported = await importFile({ file, columns, skipInvalid: true })
    expect(imported).toMatchObject({ collection: { rows: 1, kind: 'sft', name: 'rows.jsonl' }, errorCount: 3 })
    expect(datasets.collections().items).toHaveLength(1)
  })

  test('previews the first rows and columns without storing anything', async () => {
    const { datasets } = await version()
    const file = path.join(newFolder(), 'rows.jsonl')
    const long = 'x'.repeat(1000)
    fs.writeFileSync(file, `{"q":"one","a":${JSON.stringify(long)}}\n${'{"q":"two","a":"2"}\n'.repeat(9)}`)
    const unread = await datasets.peek({ file, columns: {} }, never)
    expect(unread).toMatchObject({ columns: ['q', 'a'], kind: null, problem: expect.stringContaining('Row 1') as string })
    expect(unread.rows).toHaveLength(5)
    expect(String(unread.rows[0]!['a']).length).toBeLessThan(long.length)
    expect(await datasets.peek({ file, columns: { prompt: 'q', completion: 'a' } }, never)).toMatchObject({ kind: 'sft', problem: null })
    expect(datasets.collections().items).toEqual([])
  })

  test('rejects folders, invalid Parquet files and relative paths', async () => {
    const { datasets, importFile } = await version()
    const folder = newFolder()
    const fake = path.join(folder, 'x.parquet')
    fs.writeFileSync(fake, 'PAR1 and no more')
    expect(() => datasets.importRows({ file: folder, columns: {}, skipInvalid: false })).toThrow(
      expect.objectContaining({ code: 'path_refused' }),
    )
    expect(() => datasets.importRows({ file: 'x.jsonl', columns: {}, skipInvalid: false })).toThrow(/not absolute/)
    await expect(importFile({ file: fake })).rejects.toThrow(/cannot be read as Parquet/)
  })
})
