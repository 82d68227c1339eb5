import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ChatMessage, ToolSchema } from '#contracts/entities/example.ts'
import { tokenized } from '#server/stages/factory/preview/preview.job.ts'
import { pieces, promptText, RenderError } from '#server/stages/factory/preview/render.ts'
import { promptOf } from '#server/stages/factory/preview/rows.ts'
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
  { messages: [{ role: 'user', content: 'Nobody answers' }], tools: [] },
]
const input = ROWS.map((row) => `${JSON.stringify(row)}\n`).join('')

/** Templates that take the content of a message as a list of texts and pictures, which our rows never are. */
const VISION = /^(?:idefics3|llava_next|smolvlm)/

let folder = ''
beforeAll(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'bashgym-parity-'))
  python(['tests/make_tokenizer.py', folder])
})
afterAll(() => fs.rmSync(folder, { recursive: true, force: true }))

test('token ids and mask of the preview are those of the trainer', () => {
  const answers = python(['-m', 'bashgym_trainers.render', '--model', folder], input).trimEnd().split('\n')
  const encoder = loadTokenizer(folder)
  expect(answers).toHaveLength(ROWS.length)
  const theirs = answers.map((line) => JSON.parse(line) as object)
  const ours = ROWS.map((row) => {
    const shown = tokenized(encoder, row)
    return {
      ids: shown.flatMap(({ tokens }) => tokens.map(({ id }) => id)),
      mask: shown.flatMap(({ tokens, trained }) => tokens.map(() => Number(trained))),
    }
  })
  // The last row has nothing to learn from: the trainer refuses it, the preview marks no token.
  expect(theirs.map((row) => 'error' in row)).toEqual([false, false, false, true])
  expect(theirs.slice(0, 3)).toMatchObject(ours.slice(0, 3))
  expect(ours[3]!.mask).not.toContain(1)
})

test('every chat template that TRL knows is rendered and cut as in Python, and asks in the same words, or is refused by both', () => {
  const answers = python(['tests/render_all.py', folder], input).trimEnd().split('\n')
  const templates = new Set<string>()
  const differ: string[] = []
  const askedOtherwise: string[] = []
  const { specials } = loadTokenizer(folder).template(false)
  let same = 0
  for (const line of answers) {
    const theirs = JSON.parse(line) as {
      template: string
      source: string
      row: number
      prompt?: string
      pieces?: [string, boolean][]
      error?: string
    }
    if (VISION.test(theirs.template)) continue
    templates.add(theirs.template)
    const ours = cut(theirs.source, specials, ROWS[theirs.row]!)
    const equal = ours === null ? theirs.pieces === undefined : JSON.stringify(ours) === JSON.stringify(theirs.pieces)
    if (equal) same += 1
    else differ.push(`${theirs.template} row ${theirs.row}`)
    if (asked(theirs.source, specials, ROWS[theirs.row]!) !== (theirs.prompt ?? null)) askedOtherwise.push(`${theirs.template} row ${theirs.row}`) // prettier-ignore
  }
  expect(templates.size).toBeGreaterThan(50)
  expect(differ).toEqual([])
  expect(askedOtherwise).toEqual([])
  expect(same).toBe(templates.size * ROWS.length)
})

const asked = (source: string, specials: Record<string, string>, row: Row) => orNull(() => promptText({ source, specials }, promptOf(row)!))
const cut = (source: string, specials: Record<string, string>, row: Row) =>
  orNull(() => pieces({ source, specials }, row).map(({ text, trained }): [string, boolean] => [text, trained]))

function orNull<Value>(render: () => Value): Value | null {
  try {
    return render()
  } catch (error) {
    if (error instanceof RenderError) return null
    throw error
  }
}
