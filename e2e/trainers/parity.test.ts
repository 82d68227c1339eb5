import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import preview from '#server/stages/factory/preview/preview.job.ts'
import { type ChatTemplate, promptText, RenderError, renderRow } from '#server/stages/factory/preview/render.ts'
import { messagesOf, promptOf } from '#server/stages/factory/preview/rows.ts'
import { thinks } from '#server/stages/factory/preview/templates.ts'
import { loadTokenizer } from '#server/stages/factory/preview/tokenizer.ts'
import { python } from './python.ts'

interface Row {
  messages: ChatMessage[]
  tools: ToolSchema[]
}

const bash: ToolSchema = {
  type: 'function',
  function: {
    name: 'Bash',
    description: 'Runs a command.',
    parameters: { type: 'object', properties: { command: { type: 'string' }, timeout: { type: 'number' } }, required: ['command'] },
  },
}
const call = (id: string, args: Record<string, unknown>) => ({ id, type: 'function' as const, function: { name: 'Bash', arguments: args } })
const ROWS: Row[] = [
  {
    messages: [
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: 'Hello yourself.' },
    ],
    tools: [],
  },
  {
    messages: [
      { role: 'system', content: 'Be short. “Quotes”, naïve café, проверка, 検査 🙂, e\u0301.' },
      { role: 'user', content: '  List the files\n\n' },
      {
        role: 'assistant',
        content: '<think>\nLook first.\n</think>\n\n',
        tool_calls: [call('c1', { command: 'ls -la "a b"\n', timeout: 5 })],
      },
      { role: 'tool', tool_call_id: 'c1', name: 'Bash', content: 'total 8\ncalc.py\t🙂\r\n<|im_end|> </tool_response>' },
      { role: 'assistant', content: '\n\nOne file:\n\n```\ncalc.py\n```\n' },
    ],
    tools: [bash],
  },
  {
    messages: [
      { role: 'user', content: 'Two at once, then again' },
      {
        role: 'assistant',
        content: '',
        tool_calls: [call('a', { command: 'true', nested: { list: [1, true, 'x\u0000\u2028'] } }), call('b', { command: 'false' })],
      },
      { role: 'tool', tool_call_id: 'a', name: 'Bash', content: '' },
      { role: 'tool', tool_call_id: 'b', name: 'Bash', content: 'exit 1' },
      { role: 'assistant', content: 'One failed.' },
      { role: 'user', content: 'Again' },
      { role: 'assistant', content: 'No.' },
    ],
    tools: [bash],
  },
  {
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Mend the tests.' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('a', { command: "echo 'it' \\\\", timeout: 5 })] },
      { role: 'tool', tool_call_id: 'a', name: 'Bash', content: '{"found": ["größer"]}' },
      { role: 'assistant', content: 'And both.', tool_calls: [call('b', { command: 'x' }), call('b', { command: 'y' })], weight: 0 },
      { role: 'tool', tool_call_id: 'b', name: 'Bash', content: 'first' },
      { role: 'tool', tool_call_id: 'b', name: 'Bash', content: 'second' },
      { role: 'assistant', content: 'Mended.' },
      { role: 'user', content: 'Commit.' },
      { role: 'assistant', content: 'Committed.' },
    ],
    tools: [bash],
  },
  {
    messages: [
      { role: 'system', content: 'Be short.' },
      { role: 'user', content: 'Hello' },
      { role: 'assistant', content: '<think>\nA greeting.\n</think>\n\nHello.' },
      { role: 'user', content: 'Again' },
      { role: 'assistant', content: '<think>\nOnce more.\n</think>\n\nHello again.' },
    ],
    tools: [],
  },
  {
    messages: [
      { role: 'user', content: 'What ends a turn?' },
      {
        role: 'assistant',
        content: 'The mark <|im_end|>, then <|im_start|>user.',
        tool_calls: [call('a', { command: 'grep "<|im_end|>" a' })],
      },
      { role: 'tool', tool_call_id: 'a', name: 'Bash', content: '<|endoftext|>' },
      { role: 'assistant', content: 'Found.' },
    ],
    tools: [bash],
  },
  { messages: [{ role: 'user', content: 'Nobody answers' }], tools: [] },
]
const input = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('')

/** Templates that need message content as a list of texts and images, which our rows never contain. */
const VISION = /^(?:idefics3|llava_next|smolvlm)/

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-parity-'))
  python(['tests/make_tokenizer.py', folder])
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

const rowsOf = (lines: string, model = folder) =>
  python(['-m', 'bashgym_trainers.windows', '--model', model], lines)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as { rows: Encoded[]; leftOut: number[] } | { error: string })
type Encoded = { ids: number[]; mask: number[] }

function shownOf(row: Row, maxTokens: number | null, part = 0, tokenizer = folder): Encoded {
  const shown = preview({ tokenizer, ...row, maxTokens, part })
  return {
    ids: shown.pieces.flatMap(({ tokens }) => tokens.map(({ id }) => id)),
    mask: shown.pieces.flatMap(({ tokens, trained }) => tokens.map(() => Number(trained))),
  }
}

test('the preview has the same token ids and mask as the trainer', () => {
  const theirs = rowsOf(input)
  expect(theirs).toHaveLength(ROWS.length)
  const [nobody, ...ours] = ROWS.map((row) => shownOf(row, null)).toReversed()
  // The last row has nothing to learn from: the trainer refuses it, the preview marks no token.
  expect(theirs.at(-1)).toHaveProperty('error')
  expect(nobody!.mask).not.toContain(1)
  expect(theirs.slice(0, -1)).toEqual(ours.toReversed().map((row) => ({ rows: [row], leftOut: [] })))
})

test('a tokenizer that adds a leading space gives the same ids as in the trainer', () => {
  const spaced = path.join(folder, 'spaced')
  python(['tests/make_tokenizer.py', spaced, 'spaced'])
  const chats = ROWS.filter(({ tools }) => tools.length === 0).slice(0, 2)
  const more: Row[] = [
    { messages: [{ role: 'user', content: ' größer, 検査 🙂' }, { role: 'assistant', content: ' naïve  café 🙂' }], tools: [] }, // prettier-ignore
    { messages: [{ role: 'user', content: 'Say it.' }, { role: 'assistant', content: 'said.' }], tools: [] }, // prettier-ignore
  ]
  const rows = [...chats, ...more]
  const theirs = rowsOf(rows.map((row) => `${JSON.stringify(row)}\n`).join(''), spaced)
  expect(rows.map((row) => ({ rows: [shownOf(row, null, 0, spaced)], leftOut: [] }))).toEqual(theirs)
})

/** A session with several prompts, results of different lengths, an answer without loss, and a very long answer. */
const SESSION: Row = {
  messages: [
    { role: 'system', content: 'Be short.' },
    { role: 'user', content: 'Mend the tests' },
    ...Array.from({ length: 12 }, (_, at): ChatMessage[] => [
      {
        role: 'assistant',
        content: at === 8 ? 'word '.repeat(400) : `Look ${at}.`,
        tool_calls: [call(`c${at}`, { command: `cat file${at}` })],
        ...(at === 3 && { weight: 0 as const }),
      },
      { role: 'tool', tool_call_id: `c${at}`, name: 'Bash', content: `line ${at}\n`.repeat(1 + ((at * 7) % 11)) },
      ...(at === 5 ? [{ role: 'user' as const, content: 'Only the first one, please' }] : []),
    ]).flat(),
  ],
  tools: [bash],
}

test('a long session is split into the same rows as in the trainer; each fits, and each answer is learned once', () => {
  const limits = [100, 300, 420, 600, 900, 1500, 5000]
  const theirs = rowsOf(limits.map((limit) => `${JSON.stringify({ ...SESSION, limit })}\n`).join(''))
  const whole = shownOf(SESSION, null)
  const learnable = whole.mask.filter(Boolean).length
  for (const [index, limit] of limits.entries()) {
    const { rows, leftOut } = theirs[index] as { rows: Encoded[]; leftOut: number[] }
    expect(rows.map((_, part) => shownOf(SESSION, limit, part))).toEqual(rows)
    expect(Math.max(0, ...rows.map(({ ids }) => ids.length))).toBeLessThanOrEqual(limit)
    const trained = rows.flatMap(({ mask }) => mask).filter(Boolean).length
    expect(trained + leftOut.reduce((sum, tokens) => sum + tokens, 0)).toBe(learnable)
    const shown = preview({ tokenizer: folder, ...SESSION, maxTokens: limit })
    expect([shown.parts, shown.warnings.length]).toEqual([rows.length, leftOut.length > 0 ? 1 : 0])
  }
})

test('with a template that drops earlier thinking, preview and trainer make one row per answer at every length', () => {
  const changed = path.join(folder, 'changed')
  const file = path.join(folder, 'changed.jinja')
  const [template] = python(['-c', 'import trl, pathlib; print(pathlib.Path(trl.__file__).parent / "chat_templates" / "qwen3.jinja")']).split('\n') // prettier-ignore
  fs.writeFileSync(file, `${fs.readFileSync(template!, 'utf8')}{# ours #}`)
  python(['tests/make_tokenizer.py', changed, file])
  const thought = SESSION.messages.map((message) =>
    message.role === 'assistant' ? { ...message, content: `<think>\nWhy.\n</think>\n\n${message.content}` } : message,
  )
  const row = { messages: [...thought.slice(0, 18), ...thought.slice(-2), { role: 'user' as const, content: 'And?' }, ...thought.slice(2, 3)], tools: [bash] } // prettier-ignore
  const limits = [100, 420, 700, 5000]
  const theirs = rowsOf(limits.map((limit) => `${JSON.stringify({ ...row, limit })}\n`).join(''), changed)
  for (const [index, limit] of limits.entries()) {
    const { rows } = theirs[index] as { rows: Encoded[] }
    expect(rows.map((_, part) => shownOf(row, limit, part, changed))).toEqual(rows)
    expect(preview({ tokenizer: changed, ...row, maxTokens: limit }).parts).toBe(rows.length)
  }
  const answers = row.messages.filter((one) => one.role === 'assistant' && one.weight !== 0)
  expect(theirs.at(-1)).toMatchObject({ rows: answers.map(() => expect.anything() as Encoded), leftOut: [] })
})

test('every chat template of TRL gives the same rows and prompts as in Python, or is refused by both', () => {
  const answers = python(['tests/render_all.py', folder], input).trimEnd().split('\n')
  const templates = new Set<string>()
  const differ: string[] = []
  const askedOtherwise: string[] = []
  const ofModel = loadTokenizer(folder).template(false)
  let same = 0
  for (const line of answers) {
    const theirs = JSON.parse(line) as {
      template: string
      source: string
      row: number
      prompt?: string
      method?: string
      changes?: string[]
      conversations?: [string, boolean][][]
      error?: string
    }
    if (VISION.test(theirs.template)) continue
    templates.add(theirs.template)
    const ours = cut({ ...ofModel, source: theirs.source }, ROWS[theirs.row]!)
    const { method, changes, conversations } = theirs
    const equal = ours === null ? method === undefined : JSON.stringify(ours) === JSON.stringify({ method, changes, conversations })
    if (equal) same += 1
    else differ.push(`${theirs.template} row ${theirs.row}`)
    if (asked({ ...ofModel, source: theirs.source }, ROWS[theirs.row]!) !== (theirs.prompt ?? null)) askedOtherwise.push(`${theirs.template} row ${theirs.row}`) // prettier-ignore
  }
  expect(templates.size).toBeGreaterThan(50)
  expect(differ).toEqual([])
  expect(askedOtherwise).toEqual([])
  expect(same).toBe(templates.size * ROWS.length)
})

const asked = (template: ChatTemplate, row: Row) => orNull(() => promptText(template, promptOf(row)!, thinks(messagesOf(row))))
const cut = (template: ChatTemplate, row: Row) =>
  orNull(() => {
    const { method, changes, conversations } = renderRow(template, row)
    return { method, changes, conversations: conversations.map((parts) => parts.map(({ text, trained }) => [text, trained])) }
  })

function orNull<Value>(render: () => Value): Value | null {
  try {
    return render()
  } catch (error) {
    if (error instanceof RenderError) return null
    throw error
  }
}
