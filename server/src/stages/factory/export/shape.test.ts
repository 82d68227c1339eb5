import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ExportFormat } from '#contracts/entities/dataset.ts'
import type { ChatMessage, PreferenceRow, ToolSchema } from '#contracts/entities/example.ts'
import type { LabelledRow, SftRow } from '../curate/candidate.ts'
import { readRow } from '../import/shapes.ts'
import { datasetInfo } from './dataset-info.ts'
import { shapeOf } from './shape.ts'

const call = (id: string, name: string, args: Record<string, unknown>) => ({
  id,
  type: 'function' as const,
  function: { name, arguments: args },
})
const tools: ToolSchema[] = [{ type: 'function', function: { name: 'Bash', description: 'Runs', parameters: { type: 'object' } } }]
const agent: SftRow = {
  messages: [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'Fix it' },
    { role: 'assistant', content: '<think>\nlook first\n</think>\n\n', tool_calls: [call('c1', 'Bash', { command: 'ls' }), call('c2', 'Read', { file: 'a' })] },
    { role: 'tool', content: 'a b', tool_call_id: 'c1', name: 'Bash' },
    { role: 'tool', content: 'text', tool_call_id: 'c2', name: 'Read' },
    { role: 'assistant', content: 'Fixed.' },
  ],
  tools,
} // prettier-ignore
const shaped = (format: ExportFormat, row: Parameters<ReturnType<typeof shapeOf>['convert']>[0], kind: 'sft' | 'dpo' | 'kto' = 'sft') =>
  shapeOf(format).convert(row, kind)

const jsonArb = fc.jsonValue({ maxDepth: 2 })
const argsArb = fc.dictionary(fc.stringMatching(/^[a-z_]{1,8}$/), jsonArb, { maxKeys: 3 })
const textArb = fc.string({ unit: 'grapheme', maxLength: 40 })
const turnArb = fc.record({
  asked: textArb,
  precedingText: textArb,
  calls: fc.array(fc.record({ name: fc.constantFrom('Bash', 'Edit'), args: argsArb, result: textArb }), { maxLength: 3 }),
  answer: textArb,
})
/** Rows without an answer cannot be imported (import.test.ts). */
const hasAnswer = ({ calls, answer }: { calls: unknown[]; answer: string }) => answer.trim() !== '' || calls.length > 0
const messagesArb = fc.array(turnArb.filter(hasAnswer), { minLength: 1, maxLength: 3 }).map((turns) => {
  let number = 0
  return turns.flatMap(({ asked: prompt, precedingText, calls, answer }): ChatMessage[] => {
    const callsWithIds = calls.map((one) => ({ ...one, id: `call_${(number += 1)}` }))
    return [
      { role: 'user', content: prompt },
      ...(callsWithIds.length > 0
        ? [
            {
              role: 'assistant' as const,
              content: precedingText,
              tool_calls: callsWithIds.map(({ id, name, args }) => call(id, name, args)),
            },
          ]
        : []),
      ...callsWithIds.map(({ id, name, result }) => ({ role: 'tool' as const, content: result, tool_call_id: id, name })),
      { role: 'assistant', content: answer },
    ]
  })
})
const toolsArb = fc.constantFrom<ToolSchema[]>([], tools)

describe('export ∘ import is the identity', () => {
  const back = (format: ExportFormat, row: Parameters<typeof shaped>[1], kind: 'sft' | 'dpo' | 'kto') => {
    const read = shaped(format, row, kind).rows.map((one) => readRow(JSON.parse(JSON.stringify(one)), {}))
    return read.map((one) => ('row' in one ? one.row : one))
  }
  const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value)) // JSON has neither -0 nor undefined

  test.for(['nemo', 'openai', 'trl', 'trl-prompt-completion'] as const)('%s', (format) => {
    fc.assert(
      fc.property(messagesArb, toolsArb, (messages, list) => {
        expect(back(format, { messages, tools: list }, 'sft')).toEqual([plain({ messages, tools: list })])
      }),
    )
  })
  test.for(['openai', 'trl', 'trl-preference'] as const)('preference: %s', (format) => {
    fc.assert(
      fc.property(messagesArb, messagesArb, messagesArb, toolsArb, (prompt, chosen, rejected, list) => {
        const row: PreferenceRow = { prompt, chosen, rejected, tools: list }
        expect(back(format, row, 'dpo')).toEqual([plain(row)])
      }),
    )
  })
  test.for(['trl', 'trl-unpaired'] as const)('unpaired: %s', (format) => {
    fc.assert(
      fc.property(messagesArb, messagesArb, fc.boolean(), toolsArb, (prompt, completion, label, list) => {
        const row: LabelledRow = { prompt, completion, label, tools: list }
        expect(back(format, row, 'kto')).toEqual([plain(row)])
      }),
    )
  })
})

describe('formats', () => {
  test('OpenAI stores arguments as text, NeMo and TRL as objects', () => {
    const argumentsIn = (format: ExportFormat) => JSON.stringify(shaped(format, agent).rows[0]).match(/"arguments":"?\{/)?.[0]
    expect(argumentsIn('openai')).toBe(String.raw`"arguments":"{`)
    expect(argumentsIn('nemo')).toMatch(/"arguments":\{/)
    expect(argumentsIn('trl')).toMatch(/"arguments":\{/)
  })

  test('OpenAI ends with an answer: messages after the last one are dropped and reported', () => {
    const unanswered = agent.messages.slice(0, -1) // ends with a tool result
    const { rows, losses } = shaped('openai', { messages: unanswered, tools })
    expect((rows[0]!['messages'] as ChatMessage[]).at(-1)).toMatchObject({ role: 'assistant', tool_calls: [{}, {}] })
    expect(losses).toEqual(['a last prompt or tool result without an answer is left out'])
    expect(shaped('openai', { messages: agent.messages.slice(0, 2), tools })).toEqual({ rows: [], losses: ['left out: no answer'] })
    const [, prompt] = agent.messages
    const pair: PreferenceRow = {
      prompt: [prompt!],
      chosen: unanswered.slice(2),
      rejected: [{ role: 'assistant', content: 'bad' }],
      tools: [],
    }
    expect(shaped('openai', pair, 'dpo')).toMatchObject({ losses, rows: [{ preferred_output: [{ role: 'assistant' }] }] })
  })

  test('ShareGPT alternates turns, as LLaMA-Factory requires, and reports losses', () => {
    const { rows, losses } = shaped('sharegpt', agent)
    expect(rows).toEqual([
      {
        conversations: [
          { from: 'human', value: 'Fix it' },
          { from: 'function_call', value: '<think>\nlook first\n</think>\n[{"name":"Bash","arguments":{"command":"ls"}},{"name":"Read","arguments":{"file":"a"}}]' },
          { from: 'observation', value: 'a b\n\ntext' },
          { from: 'gpt', value: 'Fixed.' },
        ],
        system: 'Be brief.',
        tools: JSON.stringify([tools[0]!.function]),
      },
    ]) // prettier-ignore
    expect(losses).toEqual([])
    const spoken = {
      ...agent,
      messages: agent.messages.map((one) => (one.role === 'assistant' && one.tool_calls ? { ...one, content: 'Let me look.' } : one)),
    }
    expect(shaped('sharegpt', spoken).losses).toEqual(['text next to a tool call is left out'])
  })

  test('ShareGPT alternates prompts and answers for any messages', () => {
    const anyMessage = fc.oneof(
      messagesArb.map((list) => list[0]!),
      fc.constantFrom(...agent.messages),
    )
    fc.assert(
      fc.property(fc.array(anyMessage, { maxLength: 12 }), (messages) => {
        for (const row of shaped('sharegpt', { messages, tools }).rows as { conversations: { from: string }[] }[]) {
          expect(row.conversations.length % 2).toBe(0)
          expect(row.conversations.length).toBeGreaterThan(0)
          row.conversations.forEach(({ from }, index) =>
            expect(index % 2 === 0 ? ['human', 'observation'] : ['gpt', 'function_call']).toContain(from),
          )
        }
      }),
    )
  })

  test('Alpaca keeps text prompts and answers, and drops rows with tool calls', () => {
    expect(shaped('alpaca', agent)).toEqual({ rows: [], losses: ['left out: it has tool calls, for which Alpaca has no place'] })
    const talk: SftRow['messages'] = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'So.' },
    ]
    const { rows, losses } = shaped('alpaca', { messages: talk, tools: agent.tools })
    expect(rows).toEqual([{ instruction: 'Why?', input: '', output: 'So.', system: 'Be brief.', history: [] }])
    expect(losses).toEqual(['the tools are left out'])
    expect(shaped('alpaca', { messages: [{ role: 'user', content: 'hi' }], tools: [] }).rows).toEqual([])
  })

  test('formats without weights report that mistakes are trained on', () => {
    const row: SftRow = {
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: 'a', weight: 0 },
      ],
      tools: [],
    }
    expect(shaped('openai', row).losses).toEqual([])
    expect(shaped('trl', row).losses).toEqual(['answers of weight 0 are trained on by programs that do not read "weight"'])
  })

  test('a pair becomes two labelled rows, and any row a prompt', () => {
    const row: PreferenceRow = {
      prompt: [{ role: 'user', content: 'q' }],
      chosen: [{ role: 'assistant', content: 'good' }],
      rejected: [{ role: 'assistant', content: 'bad' }],
      tools: [],
    }
    expect(shaped('trl-unpaired', row, 'dpo').rows.map(({ label, completion }) => [label, completion])).toEqual([[true, row.chosen], [false, row.rejected]]) // prettier-ignore
    expect(shaped('trl-prompt-only', row, 'dpo').rows).toEqual([{ prompt: row.prompt, tools: [] }])
    expect(shaped('trl-prompt-only', agent).rows).toEqual([{ prompt: agent.messages.slice(0, 2), tools }])
  })

  test('dataset_info.json lists every file with its columns', () => {
    const files = [{ path: 'train.jsonl', rows: 1, bytes: 1, sha256: '' }, { path: '__metadata__/train.metadata.jsonl', rows: 1, bytes: 1, sha256: '' }] // prettier-ignore
    expect(JSON.parse(datasetInfo({ name: 'My Fixes', version: 2 }, 'sharegpt', files))).toEqual({
      'my-fixes_v2_train': {
        file_name: 'train.jsonl',
        formatting: 'sharegpt',
        columns: { messages: 'conversations', system: 'system', tools: 'tools' },
      },
    })
  })
})

describe('rows from outside', () => {
  const read = (value: unknown, columns: Record<string, string> = {}) => readRow(value, columns)

  test('reads mapped columns, texts, ShareGPT, Alpaca, calls without ids and schemas without a wrapper', () => {
    expect(read({ question: 'q', answer: 'a' }, { prompt: 'question', completion: 'answer' })).toMatchObject({ kind: 'sft', row: { messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: 'a' }] } }) // prettier-ignore
    expect(read({ instruction: 'do', input: 'this', output: 'done', history: [['a', 'b']] })).toMatchObject({ row: { messages: [{ content: 'a' }, { content: 'b' }, { content: 'do\n\nthis' }, { content: 'done' }] } }) // prettier-ignore
    const [sharegpt] = shaped('sharegpt', agent).rows
    expect(read(sharegpt)).toMatchObject({ kind: 'sft', row: { messages: [{ role: 'system' }, { role: 'user' }, { role: 'assistant', tool_calls: [{ function: { name: 'Bash' } }, { function: { name: 'Read' } }] }, { role: 'tool', name: 'Bash' }, { role: 'assistant' }], tools } }) // prettier-ignore
    const bare = { messages: [{ role: 'user', content: 'q' }, { role: 'assistant', content: null, tool_calls: [{ function: { name: 'Bash', arguments: '{"command":"ls"}' } }] }, { role: 'tool', content: 'x' }], tools: [{ name: 'Bash' }] } // prettier-ignore
    expect(read(bare)).toMatchObject({ row: { messages: [{}, { tool_calls: [{ id: 'call_1_0', function: { arguments: { command: 'ls' } } }] }, { tool_call_id: 'call_1_0', name: 'Bash' }], tools: [{ type: 'function', function: { name: 'Bash', description: '' } }] } }) // prettier-ignore
    expect(read({ prompt: 'q', unit_test: 'assert' })).toMatchObject({ kind: 'prompts', row: { unit_test: 'assert' } })
  })

  test('names the field of an error and what it must be', () => {
    const errorsOf = (value: unknown, columns = {}) => (read(value, columns) as { errors: { field: string; message: string }[] }).errors
    expect(errorsOf([])).toEqual([{ field: '', message: 'A row must be a JSON object.' }])
    expect(errorsOf({ a: 1 })[0]!.message).toMatch(/The columns \(a\) match no supported row format/)
    expect(errorsOf({ a: 1 }, { prompt: 'b' })).toEqual([{ field: 'b', message: 'This column does not exist.' }])
    expect(errorsOf({ messages: [{ role: 'usr', content: 'x' }] })[0]!.field).toBe('messages.0.role')
    expect(errorsOf({ messages: [{ role: 'assistant', content: '', tool_calls: [{ function: { name: 'B', arguments: 'ls' } }] }] })[0]!.field).toBe('messages.0.tool_calls.0.function.arguments') // prettier-ignore
    expect(errorsOf({ prompt: 'a', completion: 'b', label: 'yes' })[0]!.field).toBe('label')
  })

  test('refuses a result that answers no call; a call may have several', () => {
    const row = (...ids: (string | undefined)[]) => ({
      messages: [
        { role: 'user', content: 'q' },
        { role: 'assistant', content: '', tool_calls: [{ id: 'a', type: 'function', function: { name: 'Bash', arguments: {} } }] },
        ...ids.map((id) => ({ role: 'tool', tool_call_id: id, content: 'x' })),
        { role: 'assistant', content: 'done' },
      ],
    })
    expect(read(row('a', 'a'))).toMatchObject({ kind: 'sft' })
    expect(read(row('b'))).toEqual({ errors: [{ field: 'messages.2.tool_call_id', message: 'No call before this result has the id "b".' }] }) // prettier-ignore
    expect(read(row(undefined, undefined))).toEqual({ errors: [{ field: 'messages.3.role', message: 'This result answers no call: none before it is without a result.' }] }) // prettier-ignore
  })
})
