import fs from 'node:fs'
import path from 'node:path'
import { gzipSync } from 'node:zlib'
import { parquetWriteFile } from 'hyparquet-writer'
import { afterAll, expect, test } from 'vitest'
import { columnUsesText, type DatasetBuilt, type RowImport } from '#contracts/entities/dataset.ts'
import { openCore, resultOf } from '#server/testing/core.ts'
import { useFolder } from '#server/testing/folders.ts'
import { testDatasets } from '../versions/testing-rows.ts'

const core = openCore()
const outside = useFolder()
afterAll(() => core.close())
const { datasets, build } = testDatasets(core, { sessions: 1, perSession: 1 })

function fileOf(name: string, content: string | Uint8Array): string {
  const file = path.join(outside, name)
  fs.writeFileSync(file, content)
  return file
}
const lines = (...rows: unknown[]) => rows.map((row) => JSON.stringify(row)).join('\n')

const importFile = async (file: string, columns: Record<string, string> = {}) =>
  resultOf<RowImport>(core, datasets.importRows({ file, columns, skipInvalid: false }))
const storedRows = (imported: RowImport) =>
  fs
    .readFileSync(path.join(core.paths.datasets, 'collections', `${imported.collection!.id}.jsonl`), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => (JSON.parse(line) as { row: Record<string, { content: string }[]> }).row)

test('two columns can be swapped', async () => {
  const file = fileOf('swapped.jsonl', lines({ prompt: 'p', chosen: 'bad', rejected: 'good' }))
  const imported = await importFile(file, { chosen: 'rejected', rejected: 'chosen' })
  expect(imported.collection).toMatchObject({ kind: 'dpo' })
  expect(storedRows(imported)[0]).toMatchObject({ chosen: [{ content: 'good' }], rejected: [{ content: 'bad' }] })
})

test('a mapped Parquet column may be empty in some rows', async () => {
  const file = path.join(outside, 'empty-cells.parquet')
  parquetWriteFile({
    filename: file,
    columnData: [
      { name: 'q', data: ['one', 'two'], type: 'STRING' },
      { name: 'context', data: ['of one', null], type: 'STRING' },
      { name: 'a', data: ['1', '2'], type: 'STRING' },
    ],
  })
  const imported = await importFile(file, { instruction: 'q', input: 'context', output: 'a' })
  expect(storedRows(imported).map(({ messages }) => messages![0]!.content)).toEqual(['one\n\nof one', 'two'])
  const { errors } = await importFile(file, { instruction: 'toString', output: 'a' })
  expect(errors[0]).toEqual({ row: 1, field: 'toString', message: 'This column does not exist.' })
})

test('reports rows without an answer to learn', async () => {
  const [prompt, answer] = [{ role: 'user', content: 'u' }, { role: 'assistant', content: 'a' }] // prettier-ignore
  const rows = [
    { messages: [prompt] },
    { messages: [prompt, { role: 'assistant', content: ' ' }] },
    { instruction: 'do', output: '' },
    { prompt: [prompt], chosen: [answer], rejected: [prompt] },
    { prompt: ' ', completion: 'a' },
  ]
  for (const [index, row] of rows.entries()) {
    const { collection, errors } = await importFile(fileOf(`${index}.jsonl`, lines(row)))
    expect([index, collection, errors.map(({ field }) => field)]).toEqual([
      index,
      null,
      [['messages', 'messages', 'messages', 'rejected', 'prompt'][index]],
    ])
  }
})

test('reports invalid UTF-8 with its row', async () => {
  const good = Buffer.from(`${lines({ prompt: 'it says \u{FFFD}', completion: 'b' })}\n`)
  const latin = Buffer.from(lines({ prompt: 'schöne Grüße', completion: 'ça va' }), 'latin1')
  const { collection, errors } = await importFile(fileOf('latin.jsonl', Buffer.concat([good, latin])))
  expect(collection).toBeNull()
  expect(errors).toEqual([{ row: 2, field: '', message: expect.stringMatching(/not valid UTF-8.*iconv/) as string }])
})

test.for([
  ['packed.jsonl.gz', gzipSync(lines({ prompt: 'a', completion: 'b' })), /compressed \(gzip\).*gunzip/],
  ['wide.jsonl', Buffer.from(`\u{FEFF}${lines({ prompt: 'a', completion: 'b' })}`, 'utf16le'), /UTF-16.*iconv/],
] as const)('rejects %s and says what to do', async ([name, content, expectedMessage]) => {
  const file = fileOf(name, content)
  await expect(importFile(file)).rejects.toThrow(expectedMessage)
  await expect(datasets.peek({ file, columns: {} }, new AbortController().signal)).rejects.toThrow(expectedMessage)
})

test('reads a file with one JSON array', async () => {
  const rows = [{ prompt: 'a, ]"', completion: 'b' }, { prompt: 'c', completion: '\\' }] // prettier-ignore
  for (const [name, content] of [
    ['list.json', JSON.stringify(rows)],
    ['pretty.json', `\u{FEFF} ${JSON.stringify(rows, null, 2)}\n`],
  ] as const)
    // prettier-ignore
    expect(storedRows(await importFile(fileOf(name, content))).map(({ messages }) => messages!.map(({ content: text }) => text))).toEqual([
      ['a, ]"', 'b'],
      ['c', '\\'],
    ])
  const cut = await importFile(fileOf('cut.json', JSON.stringify(rows).slice(0, -1)))
  expect([cut.collection, cut.errors]).toEqual([null, [{ row: 3, field: '', message: 'This element is not valid JSON.' }]])
})

const CALL = { name: 'ls', arguments: {} }
const RESULT = { role: 'tool', name: 'ls', content: 'a.txt' }
const stored = async (row: unknown) => {
  const imported = await importFile(fileOf('common.jsonl', lines(row)))
  expect(imported.errors).toEqual([])
  return { messages: storedRows(imported)[0]!['messages'] as unknown as Record<string, unknown>[], row: storedRows(imported)[0]!, uses: imported.columnUses } // prettier-ignore
}

test.each<[string, Record<string, unknown>]>([
  ['without ids', { tool_calls: [{ type: 'function', function: CALL }] }],
  ['without arguments', { tool_calls: [{ id: 'call_1_0', type: 'function', function: { name: 'ls', arguments: '' } }] }],
  ['with null as arguments', { tool_calls: [{ id: 'call_1_0', type: 'function', function: { name: 'ls', arguments: null } }] }],
  ['bare', { tool_calls: [CALL] }],
  ['of the older API', { function_call: { name: 'ls', arguments: '{}' }, tool_calls: null }],
])('reads calls %s', async (_, answer) => {
  const { messages } = await stored({
    messages: [{ role: 'user', content: 'u', name: null }, { role: 'assistant', content: null, ...answer }, RESULT],
  })
  const call = { id: 'call_1_0', type: 'function', function: CALL }
  expect(messages.slice(1)).toEqual([
    { role: 'assistant', content: '', tool_calls: [call] },
    { ...RESULT, tool_call_id: 'call_1_0' },
  ])
})

test.each([
  ['a number', (args: string) => args],
  ['a number in arguments as text', (args: string) => JSON.stringify(args)],
])('keeps every digit of %s, as text where JSON readers would lose some, and says so', async (_, written) => {
  const args = '{"id":12345678901234567890,"most":9007199254740991,"far":1e400,"pi":3.25}'
  const row = `{"messages":[{"role":"user","content":"u"},{"role":"assistant","tool_calls":[{"name":"ls","arguments":${written(args)}}]}]}`
  const imported = await importFile(fileOf('long.jsonl', row))
  const [, answer] = storedRows(imported)[0]!['messages'] as unknown as { tool_calls: { function: { arguments: unknown } }[] }[]
  expect(answer!.tool_calls[0]!.function.arguments).toEqual({ id: '12345678901234567890', most: 9007199254740991, far: '1e400', pi: 3.25 })
  expect(columnUsesText(imported.columnUses)).toContain('are kept as text')
})

test('reads what has a common meaning, and says what is not used', async () => {
  const { messages, row, uses } = await stored({
    system: 'Be short.',
    functions: [{ name: 'ls', description: 'Lists.', parameters: null }],
    source: 'somewhere',
    messages: [
      { role: 'user', content: 'u' },
      { role: 'assistant', content: 'wrong', train: false, refusal: 'no' },
      { role: 'user', content: 'v' },
      { role: 'assistant', content: 'right', reasoning_content: 'Think.', weight: 0.5 },
    ],
  })
  expect(messages).toEqual([
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'u' },
    { role: 'assistant', content: 'wrong', weight: 0 },
    { role: 'user', content: 'v' },
    { role: 'assistant', content: '<think>\nThink.\n</think>\n\nright', weight: 1 },
  ])
  expect(row['tools']).toMatchObject([{ function: { name: 'ls', parameters: {} } }])
  expect(Object.fromEntries(uses.map(({ column, use }) => [column, use]))).toEqual({
    system: 'the system prompt',
    functions: 'tools',
    source: null,
    'messages[].train': 'weight 0',
    'messages[].refusal': null,
    'messages[].reasoning_content': 'thoughts before the answer',
    'messages[].weight': 'weight 1',
  })
})

test('reads a row longer than the read buffer, and the rows around it', async () => {
  const file = path.join(core.config.dataDir, 'huge.jsonl')
  const row = (prompt: string) => `{"prompt":"${prompt}","completion":"b"}`
  fs.writeFileSync(file, [row('before'), row('x'.repeat(5_000_000)), row('after')].join('\r\n'))
  const imported = await importFile(file)
  expect(storedRows(imported).map(({ messages }) => messages![0]!.content.length)).toEqual([6, 5_000_000, 5])
})

test('replaces half a surrogate pair in the built row', async () => {
  const imported = await importFile(fileOf('half.jsonl', `{"prompt":"half \\ud83d","completion":"b","x":1}`))
  const { id } = (await build({ kind: 'sft', name: 'halves', include: [imported.collection!.id] })).result as DatasetBuilt
  const text = fs.readFileSync(path.join(datasets.folder(id), 'train.jsonl'), 'utf8')
  expect(text).toContain('half \u{FFFD}"')
})

test.each([
  ['', 'Add one JSON object per line'],
  [lines({ prompt: 'p', completion: 'c' }, { prompt: 'p', completion: ' ' }), 'Fix these rows'],
  [lines({ a: 1 }, { a: 2 }), 'Map the columns'],
])('says what to do if nothing was imported', async (content, hint) => {
  const imported = await importFile(fileOf('refused.jsonl', content))
  expect([imported.collection, imported.hint]).toEqual([null, expect.stringContaining(hint)])
})

test.each(['gone.jsonl', '.', 'not-absolute'])('says what to do about an unreadable path (%s)', (name) => {
  const file = name === 'not-absolute' ? name : path.join(core.config.dataDir, name)
  expect(() => datasets.importRows({ file, columns: {}, skipInvalid: false })).toThrow(
    expect.objectContaining({ code: 'path_refused', hint: expect.stringMatching(/\w\.$/) }),
  )
})

test('rejects files with keys, and never quotes an invalid line', async () => {
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
