import { hash } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { openCore } from '#server/testing/core.ts'
import { newFolder } from '#server/testing/folders.ts'
import { killAt } from '#server/testing/killed.ts'
import { testDatasets } from './testing-rows.ts'

const PROGRAM = path.join(import.meta.dirname, 'testing-killed.ts')

test.for([
  ['while it builds rows', /^building rows/],
  ['while it curates rows', /^(curate|dedup)/],
  ['while it writes rows', /^applying privacy policy/],
  ['during the second scan', /^second scan/],
  ['right after a version was added', /^added/],
] as const)('a build killed %s never leaves an incomplete version visible', async ([, when]) => {
  const dataDir = newFolder()
  const lines = await killAt(PROGRAM, [dataDir, 'build'], (line) => when.test(line))
  const core = openCore({ dataDir, keep: true })
  const { datasets, build } = testDatasets(core, { sessions: 60, perSession: 10 })
  const { items } = datasets.list({ limit: 100 })
  const addedIds = lines.filter((line) => line.startsWith('added ')).map((line) => line.slice('added '.length))
  for (const id of addedIds) expect(items.map((item) => item.id)).toContain(id)
  for (const { id } of items) {
    const { files } = datasets.get(id)
    for (const file of files) expect(hash('sha256', fs.readFileSync(path.join(core.paths.datasets, id, file.path)))).toBe(file.sha256)
  }
  expect(fs.readdirSync(core.paths.datasets).toSorted()).toEqual(['collections', ...items.map(({ id }) => id)].toSorted())
  expect((await build({ dedup: { near: false } })).state).toBe('completed')
  await core.close()
})

test.for([
  ['in the middle of a file', 'writing'],
  ['right after it finished', 'exported'],
] as const)('an export killed %s leaves no incomplete folder, and the next start deletes its leftovers', async ([, when]) => {
  const [dataDir, place] = [newFolder(), newFolder()]
  const lines = await killAt(PROGRAM, [dataDir, 'export', place, when], (line) => line.startsWith(when))
  expect([when, fs.readdirSync(place).some((name) => name.includes('.part-'))]).not.toEqual(['writing', false])
  const rowCount = (name: string) => fs.readFileSync(path.join(place, name, 'train.jsonl'), 'utf8').split('\n').length - 1
  const core = openCore({ dataDir, keep: true })
  const { datasets } = testDatasets(core, { sessions: 1, perSession: 1 })
  const { counts } = datasets.list({ limit: 1 }).items[0]!
  const names = fs.readdirSync(place)
  expect(names.filter((name) => !/^out-\d+$/.test(name))).toEqual([])
  for (const name of names) expect([name, rowCount(name)]).toEqual([name, counts.train])
  for (const line of lines.filter((one) => one.startsWith('exported '))) expect(names).toContain(line.slice('exported '.length))
  expect(fs.readdirSync(core.paths.datasets).filter((name) => name.startsWith('.'))).toEqual([])
  await core.close()
})

test.for([
  ['while it reads rows', /^import/],
  ['right after rows were stored', /^stored/],
] as const)('an import killed %s leaves only complete collections', async ([, when]) => {
  const dataDir = newFolder()
  const lines = await killAt(PROGRAM, [dataDir, 'import'], (line) => when.test(line))
  const core = openCore({ dataDir, keep: true })
  const { datasets } = testDatasets(core, { sessions: 1, perSession: 1 })
  const { items } = datasets.collections()
  for (const line of lines.filter((one) => one.startsWith('stored ')))
    expect(items.map(({ id }) => id)).toContain(line.slice('stored '.length))
  for (const { id, sha256, rows } of items) {
    const bytes = fs.readFileSync(path.join(core.paths.datasets, 'collections', `${id}.jsonl`))
    expect([hash('sha256', bytes), bytes.toString().split('\n').length - 1]).toEqual([sha256, rows])
  }
  expect(fs.readdirSync(path.join(core.paths.datasets, 'collections')).toSorted()).toEqual(items.map(({ id }) => `${id}.jsonl`).toSorted())
  await core.close()
})
