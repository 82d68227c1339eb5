import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteFile } from 'hyparquet-writer'
import { afterAll, expect, test } from 'vitest'
import type { DatasetBuilt, RowImport } from '#contracts/entities/dataset.ts'
import { openCore } from '#server/testing/core.ts'
import { testDatasets } from '../build/testing-rows.ts'

const core = openCore()
const outside = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-rows-'))
afterAll(() => {
  fs.rmSync(outside, { recursive: true })
  return core.close()
})
const { datasets, build } = testDatasets(core, { sessions: 1, perSession: 1 })

function fileOf(name: string, content: string | Uint8Array): string {
  const file = path.join(outside, name)
  fs.writeFileSync(file, content)
  return file
}
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

async function take(file: string, columns: Record<string, string> = {}): Promise<RowImport> {
  const { error, result } = await core.jobs.wait(datasets.importRows({ file, columns, skipInvalid: false }).id)
  if (error) throw new Error(error.message)
  return result as RowImport
}
const stored = (taken: RowImport) =>
  fs
    .readFileSync(path.join(core.paths.datasets, 'collections', `${taken.collection!.id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { row: Record<string, { content: string }[]> }).row)

test('two columns can change places', async () => {
  const file = fileOf('swapped.jsonl', lines({ prompt: 'p', chosen: 'bad', rejected: 'good' }))
  const taken = await take(file, { chosen: 'rejected', rejected: 'chosen' })
  expect(taken.collection).toMatchObject({ kind: 'dpo' })
  expect(stored(taken)[0]).toMatchObject({ chosen: [{ content: 'good' }], rejected: [{ content: 'bad' }] })
})

test('a named column that has no value in some rows of a Parquet file is there all the same', async () => {
  const file = path.join(outside, 'empty-cells.parquet')
  parquetWriteFile({
    filename: file,
    columnData: [
      { name: 'q', data: ['one', 'two'], type: 'STRING' },
      { name: 'context', data: ['of one', null], type: 'STRING' },
      { name: 'a', data: ['1', '2'], type: 'STRING' },
    ],
  })
  const taken = await take(file, { instruction: 'q', input: 'context', output: 'a' })
  expect(stored(taken).map(({ messages }) => messages![0]!.content)).toEqual(['one\n\nof one', 'two'])
  const { errors } = await take(file, { instruction: 'toString', output: 'a' })
  expect(errors[0]).toEqual({ row: 1, field: 'toString', message: 'This column does not exist.' })
})

test('a row with nothing to learn from is reported', async () => {
  const [asked, answered] = [{ role: 'user', content: 'u' }, { role: 'assistant', content: 'a' }] // prettier-ignore
  const rows = [
    { messages: [asked] },
    { messages: [asked, { role: 'assistant', content: ' ' }] },
    { instruction: 'do', output: '' },
    { prompt: [asked], chosen: [answered], rejected: [asked] },
    { prompt: ' ', completion: 'a' },
  ]
  for (const [index, row] of rows.entries()) {
    const { collection, errors } = await take(fileOf(`${index}.jsonl`, lines(row)))
    expect([index, collection, errors.map(({ field }) => field)]).toEqual([
      index,
      null,
      [['messages', 'messages', 'messages', 'rejected', 'prompt'][index]],
    ])
  }
})

test('what is no UTF-8 is reported with its row, never silently changed', async () => {
  const good = Buffer.from(`${lines({ prompt: 'it says \u{FFFD}', completion: 'b' })}\n`)
  const latin = Buffer.from(lines({ prompt: 'schöne Grüße', completion: 'ça va' }), 'latin1')
  const { collection, errors } = await take(fileOf('latin.jsonl', Buffer.concat([good, latin])))
  expect(collection).toBeNull()
  expect(errors).toEqual([{ row: 2, field: '', message: expect.stringMatching(/not valid UTF-8.*iconv/) as string }])
})

test.for([
  ['packed.jsonl.gz', gzipSync(lines({ prompt: 'a', completion: 'b' })), /compressed \(gzip\).*gunzip/],
  ['wide.jsonl', Buffer.from(`\u{FEFF}${lines({ prompt: 'a', completion: 'b' })}`, 'utf16le'), /UTF-16.*iconv/],
  ['list.json', JSON.stringify([{ prompt: 'a', completion: 'b' }], null, 2), /a single JSON array.*jq/],
] as const)('%s is refused with what to do', async ([name, content, expectedMessage]) => {
  const file = fileOf(name, content)
  await expect(take(file)).rejects.toThrow(expectedMessage)
  await expect(datasets.peek({ file, columns: {} }, new AbortController().signal)).rejects.toThrow(expectedMessage)
})

test('a row that is longer than what is read at once is whole, and so are those around it', async () => {
  const file = path.join(core.config.dataDir, 'huge.jsonl')
  const row = (prompt: string) => `{"prompt":"${prompt}","completion":"b"}`
  fs.writeFileSync(file, [row('before'), row('x'.repeat(5_000_000)), row('after')].join('\r\n'))
  const taken = await take(file)
  expect(stored(taken).map(({ messages }) => messages![0]!.content.length)).toEqual([6, 5_000_000, 5])
})

test('a row that holds half a character is built into one that every reader takes', async () => {
  const taken = await take(fileOf('half.jsonl', `{"prompt":"half \\ud83d","completion":"b","x":1}`))
  const { id } = (await build({ kind: 'sft', name: 'halves', include: [taken.collection!.id] })).result as DatasetBuilt
  const text = fs.readFileSync(path.join(datasets.folder(id), 'train.jsonl'), 'utf8')
  expect(text).toContain('half \u{FFFD}"')
})

test.each([
  ['', 'Add one JSON object per line'],
  [lines({ prompt: 'p', completion: 'c' }, { prompt: 'p', completion: ' ' }), 'Fix these rows'],
  [lines({ a: 1 }, { a: 2 }), 'Map the columns'],
])('what was refused says what to do', async (content, hint) => {
  const taken = await take(fileOf('refused.jsonl', content))
  expect([taken.collection, taken.hint]).toEqual([null, expect.stringContaining(hint)])
})

test.each(['gone.jsonl', '.', 'not-absolute'])('a path that cannot be read (%s) says what to do', (name) => {
  const file = name === 'not-absolute' ? name : path.join(core.config.dataDir, name)
  expect(() => datasets.importRows({ file, columns: {}, skipInvalid: false })).toThrow(
    expect.objectContaining({ code: 'path_refused', hint: expect.stringMatching(/\w\.$/) }),
  )
})

test('files that hold keys are no rows, and a line that is no JSON is not quoted', async () => {
  const signal = new AbortController().signal
  const peek = (file: string) => datasets.peek({ file, columns: {} }, signal)
  const hidden = fileOf('.credentials.json', '{"accessToken":"hunter2"}')
  const link = path.join(outside, 'rows.jsonl')
  fs.writeFileSync(core.paths.providerKeys, '{"anthropic":"hunter2"}')
  fs.symlinkSync(core.paths.providerKeys, link)
  for (const file of [hidden, link, core.paths.token, core.paths.providerKeys, `/proc/self/root${core.paths.providerKeys}`]) {
    expect(() => peek(file)).toThrow(/hidden file|is in the data directory|no such file/)
    expect(() => datasets.importRows({ file, columns: {}, skipInvalid: false })).toThrow(
      /hidden file|is in the data directory|no such file/,
    )
  }
  const { problem } = await peek(fileOf('token.txt', 'fWwDPBVMMC2vBqBDbEVv'))
  expect(problem).toBe('Row 1: This line is not valid JSON.')
})
