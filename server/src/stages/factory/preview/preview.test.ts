import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import type { ChatMessage } from '#contracts/entities/example.ts'
import type { LengthReport } from '#contracts/entities/preview.ts'
import { resultOf } from '#server/testing/core.ts'
import { useFolder } from '#server/testing/folders.ts'
import { startTestServer } from '#server/testing/server.ts'
import { knownTokenizers, problemOf } from './known-tokenizers.ts'
import lengths from './lengths.job.ts'
import preview from './preview.job.ts'
import type { RowTokens } from './measure.ts'
import { encoderOf, measurePrompt, measureRow } from './measuring.ts'
import { conversationsOf } from './rows.ts'
import { CHATML as TEMPLATE, writeTokenizer } from './testing-tokenizer.ts'

const row: ChatMessage[] = [
  { role: 'user', content: 'Say größer 🙂' },
  { role: 'assistant', content: 'größer 🙂' },
]
const dataDir = useFolder()
const folder = (name: string) => path.join(dataDir, name)

const makeTokenizer = (name: string, config: Record<string, unknown>) => writeTokenizer(folder(name), config)

test('marks tokens of the assistant as trained, and shows characters of several tokens whole', () => {
  const rendered = preview({ tokenizer: makeTokenizer('bytes', { chat_template: TEMPLATE }), messages: row, tools: [], maxTokens: null })
  expect(rendered).toMatchObject({ exact: true, tokenizer: 'bytes', refused: null, warnings: [] })
  const textOf = (trained: boolean) =>
    rendered.pieces.filter((piece) => piece.trained === trained).map(({ tokens }) => tokens.map(({ text }) => text).join(''))
  expect(textOf(true)).toEqual(['größer 🙂<|im_end|>'])
  expect(textOf(false)).toEqual(['<|im_start|>user\nSay größer 🙂<|im_end|>\n<|im_start|>assistant\n', '\n'])
  expect(rendered.trained).toBe(Buffer.byteLength('größer 🙂') + 1)
  expect(rendered.tokens).toBe(rendered.pieces.flatMap(({ tokens }) => tokens).length)
})

test('estimates without a tokenizer, and says so', () => {
  const rendered = preview({ tokenizer: null, messages: row, tools: [], maxTokens: null })
  expect(rendered.exact).toBe(false)
  expect(rendered.tokenizer).toContain('estimate')
  expect(rendered.pieces.filter(({ trained }) => trained)).toHaveLength(1)
})

test('shows the parts of a row longer than the max length', () => {
  const long: ChatMessage[] = [
    row[0]!,
    { role: 'assistant', content: 'größer'.repeat(8) },
    { role: 'user', content: 'And now kleiner' },
    { role: 'assistant', content: 'kleiner' },
  ]
  const rendered = (part: number) => preview({ tokenizer: folder('bytes'), messages: long, tools: [], maxTokens: 130, part })
  const [first, second] = [rendered(0), rendered(1)]
  expect([first.part, second.part, first.parts, first.warnings]).toEqual([0, 1, 2, []])
  const trainedTexts = ({ pieces }: typeof first) =>
    pieces.filter(({ trained }) => trained).map(({ tokens }) => tokens.map(({ text }) => text).join(''))
  expect([...trainedTexts(first), ...trainedTexts(second)]).toEqual([`${'größer'.repeat(8)}<|im_end|>`, 'kleiner<|im_end|>'])
  expect(Math.max(first.tokens!, second.tokens!)).toBeLessThanOrEqual(130)
})

test('warns about answers that do not fit into the max length', () => {
  const { warnings, parts, trained } = preview({ tokenizer: folder('bytes'), messages: row, tools: [], maxTokens: 40 })
  expect([parts, trained]).toEqual([0, 0])
  expect(warnings).toEqual(['1 answer does not fit into 40 tokens with the prompt and will be left out, with 14 trained tokens. Raise the max length.']) // prettier-ignore
})

test.each([
  ['a template that throws', { chat_template: "{{ raise_exception('roles must alternate') }}" }, 'roles must alternate'],
  ['an unsupported tokenizer', null, 'cannot be used'],
  ['an incomplete template', { chat_template: '{% for m in messages %}' }, 'rejected the row'],
  [
    'a template that rewrites earlier turns',
    { chat_template: '{{ messages | length }}{% for m in messages %}{{ m.content }}{% endfor %}' },
    'differently when more messages follow',
  ],
])('rejects %s with the reason', (name, config, why) => {
  const tokenizer = makeTokenizer(name, config ?? {})
  if (config === null) fs.writeFileSync(path.join(tokenizer, 'tokenizer.json'), '{"model": {"type": "Unheard"}}')
  const rendered = preview({ tokenizer, messages: [...row, ...row], tools: [], maxTokens: null })
  expect(rendered.refused).toContain(why)
  expect(rendered).toMatchObject({ tokens: null, trained: null, pieces: [] })
})

test('uses ChatML for a base model without a template, unless another template is chosen', () => {
  const tokenizer = makeTokenizer('base', {})
  const rendered = preview({ tokenizer, messages: row, tools: [], maxTokens: null })
  const textOf = ({ pieces }: typeof rendered) => pieces.flatMap(({ tokens }) => tokens.map(({ text }) => text)).join('')
  expect(textOf(rendered)).toBe('<|im_start|>user\nSay größer 🙂<|im_end|>\n<|im_start|>assistant\ngrößer 🙂<|im_end|>\n')
  const chosen = '{% for m in messages %}[{{ m.role }}]{{ m.content }}{% endfor %}{% if add_generation_prompt %}[assistant]{% endif %}'
  expect(textOf(preview({ tokenizer, template: chosen, messages: row, tools: [], maxTokens: null }))).toBe(
    '[user]Say größer 🙂[assistant]größer 🙂',
  )
  expect(measureRow(encoderOf(tokenizer, chosen), { messages: row })).toMatchObject({ tokens: Buffer.byteLength('[user]Say größer 🙂[assistant]größer 🙂') }) // prettier-ignore
})

test('rejects rows with tool calls if the template omits them', () => {
  const tokenizer = makeTokenizer('without calls', { chat_template: '{% for m in messages %}<{{ m.role }}>{{ m.content }}</s>{% endfor %}{% if add_generation_prompt %}<assistant>{% endif %}' }) // prettier-ignore
  const calls: ChatMessage = {
    role: 'assistant',
    content: '',
    tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'Bash', arguments: { command: 'ls' } } }],
  }
  const refusedOf = (messages: ChatMessage[]) => preview({ tokenizer, messages, tools: [], maxTokens: null }).refused
  expect(refusedOf([row[0]!, calls])).toContain('Not there: tool call 1 of message 2')
  expect(refusedOf(row)).toBeNull()
})

test('uses the marks of the template, including white space control', () => {
  const marked =
    "{%- for m in messages %}\n    {%- if m.role == 'assistant' %}\n{{- 'A: ' }}\n        {%- generation %}\n        {{- m.content }}\n        {%- endgeneration %}\n    {%- else %}\n{{- m.content + ' ' }}\n    {%- endif %}\n{%- endfor %}"
  const rendered = preview({ tokenizer: makeTokenizer('marked', { chat_template: marked }), messages: row, tools: [], maxTokens: null })
  expect(rendered.pieces.map(({ trained, tokens }) => [trained, tokens.map(({ text }) => text).join('')])).toEqual([
    [false, 'Say größer 🙂 A: '],
    [true, 'größer 🙂'],
  ])
})

test('measures the same as the preview, and treats answers of weight 0 as context', () => {
  const rendered = preview({ tokenizer: folder('bytes'), messages: row, tools: [], maxTokens: null })
  const sizeOf = (messages: ChatMessage[]) => measureRow(encoderOf(folder('bytes')), { messages }) as RowTokens
  expect(sizeOf(row)).toMatchObject({ tokens: rendered.tokens, trained: rendered.trained })
  expect(sizeOf([row[0]!, { role: 'assistant', content: 'größer 🙂', weight: 0 }])).toMatchObject({ tokens: rendered.tokens, trained: 0 })
})

test('measures a prompt with the generation prompt and without answers', () => {
  const rendered = preview({ tokenizer: folder('bytes'), messages: row, tools: [], maxTokens: null })
  const before = { tokens: rendered.pieces[0]!.tokens.length, trained: 0 }
  const encoder = encoderOf(folder('bytes'))
  expect(measurePrompt(encoder, { prompt: row.slice(0, 1) })).toMatchObject(before)
  expect(measurePrompt(encoder, { messages: [...row, ...row] })).toMatchObject(before)
  expect(measurePrompt(encoder, { prompt: row.slice(0, 1), messages: [...row, ...row] })).toMatchObject(before)
  expect(measurePrompt(encoder, { text: 'x' })).toMatchObject({ reason: 'The row has no messages and no prompt that can be read.' })
  expect(measurePrompt(encoder, { messages: [{ role: 'critic', content: 'x' }, ...row] })).toMatchObject({
    reason: 'A message has the role "critic"; the roles are system, user, assistant and tool.',
  })
})

test('reads the conversations of every kind of row: two of a preference', () => {
  const [prompt, answer] = [row.slice(0, 1), row.slice(1)]
  expect(conversationsOf({ messages: row, tools: [] })).toHaveLength(1)
  expect(conversationsOf({ prompt, chosen: answer, rejected: answer })).toEqual([
    { messages: row, tools: [] },
    { messages: row, tools: [] },
  ])
  expect(conversationsOf({ prompt, completion: answer, label: true })).toEqual([{ messages: row, tools: [] }])
  const context = { ...answer[0]!, weight: 0 }
  expect(conversationsOf({ prompt: row, completion: answer, label: true })![0]!.messages).toEqual([prompt[0], context, ...answer])
  expect(conversationsOf({ prompt, reward: 1 })).toEqual([{ messages: prompt, tools: [] }])
  expect(conversationsOf({ text: 'x' })).toBeNull()
  const [bare] = conversationsOf({ messages: [...prompt, { role: 'assistant', content: null, reasoning_content: 'Why.' }] })!
  expect(bare!.messages[1]).toEqual({ role: 'assistant', content: '', reasoning_content: 'Why.' })
})

test('finds the tokenizers on this machine, with their problems', () => {
  const snapshot = path.join(dataDir, 'hub', 'models--Qwen--Qwen2.5', 'snapshots')
  fs.mkdirSync(snapshot, { recursive: true })
  fs.renameSync(makeTokenizer('qwen', { chat_template: TEMPLATE }), path.join(snapshot, 'abc'))
  fs.mkdirSync(folder('empty'))
  fs.mkdirSync(folder('torn'))
  fs.writeFileSync(path.join(folder('torn'), 'tokenizer.json'), '{"a')
  const named = [folder('bytes'), folder('empty'), folder('torn'), 'relative']
  const tokenizers = knownTokenizers({ named, hubCache: path.join(dataDir, 'hub'), models: folder('none') })
  expect(tokenizers.map(({ name, from, hasTemplate, problem }) => [name, from, hasTemplate, problem === null])).toEqual([
    ['bytes', 'setting', true, true],
    ['empty', 'setting', false, false],
    ['torn', 'setting', false, false],
    ['relative', 'setting', false, false],
    ['Qwen/Qwen2.5', 'hub-cache', true, true],
  ])
  expect(problemOf(folder('empty'))).toContain('There is no tokenizer.json in')
  expect(problemOf(folder('torn'))).toContain('cannot be read')
  writeTokenizer(path.join(dataDir, 'hub', 'models--x--broken', 'snapshots', 'one'), null as never)
  expect(knownTokenizers({ named: [], hubCache: path.join(dataDir, 'hub'), models: folder('none') })).toContainEqual(
    expect.objectContaining({
      name: 'x/broken',
      hasTemplate: false,
      problem: expect.stringContaining('does not contain a JSON object') as string,
    }),
  )
})

test('counts a row with unusual line ends in its text as one row', () => {
  fs.mkdirSync(folder('rows'))
  const file = path.join(folder('rows'), 'train.jsonl')
  const rowJson = (content: string) => JSON.stringify({ messages: [{ role: 'user', content: 'x' }, { role: 'assistant', content }], tools: [] }) // prettier-ignore
  fs.writeFileSync(file, `${rowJson('one\u2028two\u2029three\u0085four')}\n${rowJson('five')}\n`)
  const report = lengths(
    { tokenizer: folder('bytes'), files: [file], maxTokens: null },
    { signal: new AbortController().signal, progress: () => {} },
  )
  expect(report).toMatchObject({ rows: 2, refused: [] })
})

test('previews a row and an example and measures a data set over HTTP; rejects a folder without a tokenizer', async () => {
  const server = await startTestServer()
  const result = <T>(job: { id: string }) => resultOf<T>(server.app.core, job)
  try {
    const { client } = server
    const tokenizer = folder('bytes')
    expect(await client.previewRow({ body: { tokenizer, row: { messages: row } } })).toMatchObject({ exact: true })
    const bad = client.previewRow({ body: { tokenizer: folder('empty'), row: { messages: row } } })
    await expect(bad).rejects.toMatchObject({ code: 'tokenizer_invalid' })
    const template = '{{ raise_exception("only one turn") }}'
    expect(await client.previewRow({ body: { tokenizer, template, row: { messages: row } } })).toMatchObject({ refused: expect.stringContaining('only one turn') as string }) // prettier-ignore
    await result(await client.startImport({ body: { paths: [path.resolve(import.meta.dirname, '../../../../../samples/claude-code')] } }))
    await result(await client.buildExamples({ body: { selection: { filter: {} }, minQuality: 0, unverified: true } }))
    const { items } = await client.listExamples({ query: {} })
    const rendered = await client.previewRow({ body: { tokenizer, row: { example: items[0]!.id } } })
    expect(rendered.trained).toBeGreaterThan(0)
    const { id } = await result<{ id: string }>(await client.buildDataset({ body: { kind: 'sft', minQuality: 0 } }))
    const lengths = await result<LengthReport>(await client.measureLengths({ body: { dataset: id, tokenizer, maxTokens: 10 } }))
    const { counts } = await client.getDataset({ params: { id } })
    expect(lengths.rows).toBe(counts.train + counts.val + counts.test)
    expect(lengths.truncated).toBe(lengths.rows)
    expect(lengths.bins.reduce((sum, bin) => sum + bin.rows, 0)).toBe(lengths.rows)
    const first = await client.previewRow({ body: { tokenizer, row: { dataset: id, index: 0 } } })
    expect(first.tokens).toBeLessThanOrEqual(lengths.max)
    expect(server.contractViolations).toEqual([])
  } finally {
    await server.close()
  }
})

test('stops an endless template and rejects the row', () => {
  const loop = '{% for a in range(9000) %}{% for b in range(9000) %}{% set c = a %}{% endfor %}{% endfor %}'
  const rendered = preview({ tokenizer: makeTokenizer('loops', { chat_template: loop }), messages: row, tools: [], maxTokens: null })
  expect(rendered.refused).toContain('did not finish within 5 seconds')
}, 30_000)
