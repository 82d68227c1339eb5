import { createHash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Dataset, DatasetBuilt, ExportResult, RowImport } from '#contracts/entities/dataset.ts'
import { bashgym } from '../support/cli.ts'
import { makeWorkspace, type Workspace } from '../support/server.ts'

let workspace: Workspace
const run = (...args: string[]) => bashgym(workspace, args)
const ALL = ['--tier', 'gold,silver,bronze,failed', '--seed', '7', '--val', '0']
let built: DatasetBuilt

beforeAll(async () => {
  workspace = makeWorkspace()
  for (const name of ['fix-test', 'subagent']) workspace.addSample(name)
  await run('import', '--json')
  built = (await run('dataset', 'build', '--kind', 'sft', '--name', 'mine', ...ALL, '--json')).json() as DatasetBuilt
})
afterAll(() => workspace.remove())

it('builds, lists and shows a data set as the schema says', async () => {
  expect(DatasetBuilt.parse(built)).toEqual(built)
  expect(built).toMatchObject({ name: 'mine', version: 1, kind: 'sft', seed: 7, tokens: { exact: false }, duplicates: 0, contaminated: 0 })
  expect(built.counts.train).toBeGreaterThan(0)
  expect(built.counts.val + built.counts.test).toBe(0)
  const { items } = (await run('dataset', 'list', '--json')).json() as { items: object[] }
  expect(items[0]).toMatchObject({ id: built.id, name: 'mine', version: 1, kind: 'sft', runs: [], counts: built.counts })
  expect(Object.keys(items[0]!)).toEqual(expect.arrayContaining(['createdAt', 'sizeBytes']))
  const shown = Dataset.parse((await run('dataset', 'show', built.id, '--json')).json())
  expect(shown).toMatchObject({ ...built, ms: expect.any(Number) as number, lineage: { runs: [], models: [] } })
  expect(shown.privacy!.survivors).toMatchObject({ findings: 0, byType: {} })
  expect(shown.sources.length).toBe(built.counts.sessions)
  expect(shown.sources.every(({ contentHash }) => /^[0-9a-f]{64}$/.test(contentHash))).toBe(true)
  expect(shown.options.tiers).toEqual(['gold', 'silver', 'bronze', 'failed'])
})

it('accepts every flag of a recipe, and several values after one flag', async () => {
  const exam = path.join(workspace.dir, 'exam.jsonl')
  const other = path.join(workspace.dir, 'other.jsonl')
  for (const file of [exam, other])
    fs.writeFileSync(file, '{"prompt":"What is the capital of the country of the writer of this exam in 1984?"}\n')
  const flags = [
    '--min-quality',
    '0',
    '--max-turns',
    '3',
    '--val',
    '.2',
    '--test',
    '.1',
    '--seed',
    '1',
    '--replace',
    'hash',
    '--split-by',
    'repo',
  ]
  const more = ['--repo', 'nowhere', 'elsewhere', '--against', exam, other, '--base-model', 'no/such-model', '--max-tokens', '10']
  const done = await run('dataset', 'build', '--kind', 'prompts', '--query', 'tier:gold,failed', ...flags, ...more, '--json')
  expect([done.code, done.stderr]).toEqual([0, expect.any(String)])
  const { id, files } = done.json() as DatasetBuilt
  expect(files).toEqual([])
  const { options } = Dataset.parse((await run('dataset', 'show', id, '--json')).json())
  expect(options).toMatchObject({
    kind: 'prompts',
    query: 'tier:gold,failed',
    repos: ['nowhere', 'elsewhere'],
    against: [exam, other],
    minQuality: 0,
    split: { by: 'repo', val: 0.2, test: 0.1 },
    seed: 1,
    replace: 'hash',
    baseModel: 'no/such-model',
    maxTokens: 10,
    examples: { maxTurns: 3 },
  })
})

it('exports files with the hashes it reports, and refuses a folder that is not empty', async () => {
  const out = path.join(workspace.dir, 'out')
  const result = ExportResult.parse(
    (await run('dataset', 'export', built.id, '--format', 'nemo', '--out', out, '--split', 'train', '--json')).json(),
  )
  expect(result.files.map((file) => path.relative(fs.realpathSync(out), file.path))).toEqual(['train.jsonl'])
  for (const file of result.files) {
    const bytes = fs.readFileSync(file.path)
    expect([bytes.length, createHash('sha256').update(bytes).digest('hex')]).toEqual([file.bytes, file.sha256])
  }
  const again = await run('dataset', 'export', built.id, '--format', 'nemo', '--out', out)
  expect([again.code, again.stdout]).toEqual([1, ''])
  expect(again.stderr).toMatch(/not empty\. Choose an empty or new folder/)

  const taken = RowImport.parse((await run('dataset', 'import', result.files[0]!.path, '--name', 'back', '--json')).json())
  expect(taken).toMatchObject({ errorCount: 0, collection: { name: 'back', kind: 'sft', rows: result.files[0]!.rows } })
})

it.each([
  [['dataset'], /must be followed by one of build, list/],
  [['dataset', 'mend'], /must be followed by one of build, list.*not "mend"/],
  [['dataset', 'build'], /--kind is missing/],
  [['dataset', 'build', '--kind', 'x'], /--kind must be one of sft/],
  [['dataset', 'build', '--kind', 'sft', '--tier', 'x'], /--tier/],
  [['dataset', 'build', '--kind', 'sft', '--tier', 'gold', '--query', 'x'], /either --query or --tier/],
  [['dataset', 'build', '--kind', 'sft', '--val', 'many'], /--val must be a number, not "many"/],
  [['dataset', 'build', '--kind', 'sft', '--val', '2'], /--val/],
  [['dataset', 'build', '--kind', 'sft', '--seed', '-1'], /seed/],
  [['dataset', 'build', '--kind', 'sft', '--replace', 'x'], /--replace must be one of redact/],
  [['dataset', 'build', '--kind', 'sft', '--repo'], /repo/],
  [['dataset', 'build', '--kind', 'sft', '--colour', 'red'], /colour/],
  [['dataset', 'build', 'more', '--kind', 'sft'], /Unexpected argument "more"/],
  [['dataset', 'show'], /data set id is missing/],
  [['dataset', 'export', 'x', '--out', '/tmp/x'], /--format is missing/],
  [['dataset', 'export', 'x', '--format', 'nemo'], /--out is missing/],
  [['dataset', 'import'], /file is missing/],
])('exits 2 with a message and nothing on stdout: %j', async (args, sentence) => {
  const { code, stdout, stderr } = await run(...args)
  expect([code, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(sentence)
  expect(stderr).toMatch(/Usage: bashgym dataset build/)
})
