import fs from 'node:fs'
import path from 'node:path'
import fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { anthropic } from '../anthropic/dialect.ts'
import { ProviderError } from '../error.ts'
import { readStream } from '../events.ts'
import { openai } from '../openai/dialect.ts'
import type { Completion, Dialect } from '../types.ts'
import { readChatRequest } from './read-chat.ts'
import { readMessagesRequest } from './read-messages.ts'
import { Untranslatable } from './untranslatable.ts'
import { createChatWriter } from './write-chat.ts'
import { createMessagesWriter, messageOf, messagesEvent, newCallId } from './write-messages.ts'

type Json = Record<string, unknown>
const user = (...content: unknown[]) => ({ role: 'user', content })
const text = (words: string) => ({ type: 'text', text: words })
const use = (id: string, name = 'Bash', input: Json = { command: 'ls' }) => ({ type: 'tool_use', id, name, input })
const result = (id: string, content: unknown, more: Json = {}) => ({ type: 'tool_result', tool_use_id: id, content, ...more })
const PNG = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'AAAA' } }
const tool = (more: Json = {}) => ({ name: 'Bash', description: 'Runs', input_schema: { type: 'object', properties: {} }, ...more })

/** A request of the Messages API as a chat completion. */
const toChat = (body: Json): Json =>
  openai.body({ model: 'm', ...readMessagesRequest({ max_tokens: 10, messages: [user(text('hi'))], ...body }) })
const messagesIn = (...messages: unknown[]) => toChat({ messages })['messages']
const toMessages = (body: Json): Json =>
  anthropic.body(readChatRequest({ model: 'm', messages: [{ role: 'user', content: 'hi' }], ...body }).request)
const HI = { role: 'user', content: 'hi' }
const called = (...ids: string[]) => ({
  role: 'assistant',
  content: '',
  tool_calls: ids.map((id) => ({ id, type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } })),
})
const dataUrl = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } }

describe('a request of the Messages API as a chat completion', () => {
  test.each<[string, Json, Json]>([
    ['1 system as text', { system: 'Be brief.' }, { messages: [{ role: 'system', content: 'Be brief.' }, HI] }],
    ['2 system as blocks', { system: [text('A'), text('B')] }, { messages: [{ role: 'system', content: 'A\n\nB' }, HI] }],
    [
      '3 the line for billing',
      { system: [text('x-anthropic-billing-header: cch=1;'), text('A')] },
      { messages: [{ role: 'system', content: 'A' }, HI] },
    ],
    [
      '4 system in the middle',
      { system: 'A', messages: [HI, { role: 'system', content: [text('B')] }] },
      { messages: [{ role: 'system', content: 'A\n\nB' }, HI] },
    ],
    ['5 empty content', { messages: [HI, { role: 'system', content: [] }] }, { messages: [HI] }],
    ['6 text is a list with one text', { messages: [user(text('hi'))] }, { messages: [HI] }],
    [
      '7 reminders',
      { messages: [user(text('<system-reminder>x</system-reminder>'), text('hi'))] },
      { messages: [{ role: 'user', content: '<system-reminder>x</system-reminder>\n\nhi' }] },
    ],
    ['8 an image', { messages: [user(text('hi'), PNG)] }, { messages: [{ role: 'user', content: [text('hi'), dataUrl] }] }],
    [
      '9 an image at an address',
      { messages: [user({ type: 'image', source: { type: 'url', url: 'https://a/b.png' } })] },
      { messages: [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'https://a/b.png' } }] }] },
    ],
    [
      '11 two calls',
      { messages: [HI, { role: 'assistant', content: [use('a'), use('b')] }, user(result('a', 'A'), result('b', 'B'))] },
      {
        messages: [
          HI,
          called('a', 'b'),
          { role: 'tool', tool_call_id: 'a', content: 'A' },
          { role: 'tool', tool_call_id: 'b', content: 'B' },
        ],
      },
    ],
    [
      '12 results and text',
      { messages: [HI, { role: 'assistant', content: [use('a'), use('b')] }, user(text('And?'), result('b', 'B'), result('a', 'A'))] },
      {
        messages: [
          HI,
          called('a', 'b'),
          { role: 'tool', tool_call_id: 'a', content: 'A' },
          { role: 'tool', tool_call_id: 'b', content: 'B' },
          { role: 'user', content: 'And?' },
        ],
      },
    ],
    [
      '13, 14 a result as a list, an empty one',
      {
        messages: [
          HI,
          { role: 'assistant', content: [use('a'), use('b')] },
          user(result('a', [text('A'), text('B')]), { type: 'tool_result', tool_use_id: 'b' }),
        ],
      },
      {
        messages: [
          HI,
          called('a', 'b'),
          { role: 'tool', tool_call_id: 'a', content: 'A\nB' },
          { role: 'tool', tool_call_id: 'b', content: '' },
        ],
      },
    ],
    [
      '15 a result with an image',
      { messages: [HI, { role: 'assistant', content: [use('a')] }, user(result('a', [text('A'), PNG]))] },
      { messages: [HI, called('a'), { role: 'tool', tool_call_id: 'a', content: 'A' }, { role: 'user', content: [dataUrl] }] },
    ],
    [
      '16 a result that is an error',
      { messages: [HI, { role: 'assistant', content: [use('a')] }, user(result('a', 'no', { is_error: true }))] },
      { messages: [HI, called('a'), { role: 'tool', tool_call_id: 'a', content: 'Error: no' }] },
    ],
    [
      '17, 18 thoughts',
      {
        messages: [
          HI,
          {
            role: 'assistant',
            content: [{ type: 'thinking', thinking: 'x', signature: 's' }, { type: 'redacted_thinking', data: 'x' }, text('ok')],
          },
        ],
      },
      { messages: [HI, { role: 'assistant', content: 'ok' }] },
    ],
    [
      '19 a schema without properties',
      { tools: [tool({ input_schema: { type: 'object' } })] },
      { tools: [{ type: 'function', function: { name: 'Bash', description: 'Runs', parameters: { type: 'object', properties: {} } } }] },
    ],
    ['21 choice auto', { tools: [tool()], tool_choice: { type: 'auto' } }, {}],
    ['22 choice any', { tools: [tool()], tool_choice: { type: 'any' } }, { tool_choice: 'required' }],
    [
      '23 a choice',
      { tools: [tool()], tool_choice: { type: 'tool', name: 'Bash' } },
      { tool_choice: { type: 'function', function: { name: 'Bash' } } },
    ],
    ['24 choice none', { tools: [tool()], tool_choice: { type: 'none' } }, { tool_choice: 'none' }],
    ['25 one call', { tools: [tool()], tool_choice: { type: 'auto', disable_parallel_tool_use: true } }, { parallel_tool_calls: false }],
    ['27 stops', { stop_sequences: ['END'] }, { stop: ['END'] }],
    ['28 thread create', { thread: { type: 'create' } }, { messages: [HI] }],
  ])('%s', (_, body, expected) => expect(toChat(body)).toMatchObject(expected))

  test.each<[string, Json, string]>([
    ['10 a document', { messages: [user({ type: 'document', source: { type: 'text', data: 'x' } })] }, 'content'],
    ['a tool of the provider', { tools: [{ type: 'web_search_20250305', name: 'web_search' }] }, 'content'],
    ['a name that is too long', { tools: [tool({ name: 'x'.repeat(65) })] }, 'content'],
    ['29 thread continue', { thread: { type: 'continue', previous_message_id: 'x' } }, 'thread'],
    ['no messages', { messages: [] }, 'shape'],
  ])('%s cannot be translated', (_, body, kind) => {
    expect(() => toChat(body)).toThrow(expect.objectContaining({ name: 'Error', kind }) as Error)
  })

  it('20, 30, 31 has nothing of what belongs to the provider', () => {
    const body = {
      tools: [tool(), tool({ name: 'DeferredToolPlaceholder', defer_loading: true })],
      metadata: { user_id: 'CANARY' },
      safeguards: [{ type: 'dangerous_tool_use', classifier_context: { home_dir: '/home/CANARY' } }],
      context_management: { edits: [{ CANARY: 1 }] },
      unknown_field: 'CANARY',
      messages: [user({ ...text('hi'), cache_control: { type: 'ephemeral', CANARY: 1 } })],
    }
    const sent = toChat(body)
    expect(JSON.stringify(sent)).not.toContain('CANARY')
    expect(Object.keys(sent)).toEqual(['model', 'max_tokens', 'messages', 'tools'])
    expect(sent['tools']).toHaveLength(1)
  })

  it('a call without a result, and a result without a call, become something that a template can read', () => {
    expect(messagesIn(HI, { role: 'assistant', content: [use('a')] }, user(result('lost', 'L'), text('And?')))).toEqual([
      HI,
      called('a'),
      { role: 'tool', tool_call_id: 'a', content: 'No result.' },
      { role: 'user', content: 'L\n\nAnd?' },
    ])
  })
})

describe('a stream of chat completions as events of the Messages API', () => {
  const delta = (given: Json, more: Json = {}) => ({ choices: [{ index: 0, delta: given, ...more }] })
  const finish = (reason: string) => delta({}, { finish_reason: reason })
  const piece = (index: number, given: Json, id?: string) =>
    delta({ tool_calls: [{ index, ...(id !== undefined && { id }), function: given }] })
  const usage = { choices: [], usage: { prompt_tokens: 10, completion_tokens: 4 } }
  const lines = (...chunks: unknown[]) => chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\n\n`).join('')
  const DONE = 'data: [DONE]\n\n'

  const says = (words: string) => [{ type: 'text', text: words }]
  const calls = (...inputs: [string, unknown][]) => inputs.map(([name, input]) => ({ type: 'tool_use', name, input }))
  const of = (content: unknown, stop_reason = 'end_turn', more: Json = {}) => ({ content, stop_reason, ...more })
  const broken = { error: true }

  test.each<[string, string, Json]>([
    [
      '32 text',
      lines(delta({ role: 'assistant' }), delta({ content: 'Hel' }), delta({ content: 'lo' }), finish('stop'), usage) + DONE,
      of(says('Hello'), 'end_turn', { usage: { input_tokens: 10, output_tokens: 4 } }),
    ],
    ['33 thoughts and text', lines(delta({ reasoning_content: 'hm' }), delta({ content: 'ok' }), finish('stop')) + DONE, of(says('ok'))],
    [
      '34 a call in pieces',
      lines(piece(0, { name: 'Bash', arguments: '{"com' }, 'a'), piece(0, { arguments: 'mand":"ls"}' }), finish('tool_calls')) + DONE,
      of(calls(['Bash', { command: 'ls' }]), 'tool_use'),
    ],
    [
      '35 two calls',
      lines(piece(0, { name: 'A', arguments: '{}' }, 'a'), piece(1, { name: 'B', arguments: '{}' }, 'b'), finish('tool_calls')) + DONE,
      of(calls(['A', {}], ['B', {}]), 'tool_use'),
    ],
    [
      '36 two calls, mixed',
      lines(
        piece(0, { name: 'A', arguments: '{"x"' }, 'a'),
        piece(1, { name: 'B', arguments: '{"y"' }, 'b'),
        piece(0, { arguments: ':1}' }),
        piece(1, { arguments: ':2}' }),
        finish('tool_calls'),
      ) + DONE,
      of(calls(['A', { x: 1 }], ['B', { y: 2 }]), 'tool_use'),
    ],
    [
      '37 all in one chunk',
      lines(
        delta(
          { content: 'go', tool_calls: [{ index: 0, id: 'a', function: { name: 'A', arguments: '{"x":1}' } }] },
          { finish_reason: 'tool_calls' },
        ),
      ) + DONE,
      of([...says('go'), ...calls(['A', { x: 1 }])], 'tool_use'),
    ],
    ['38 no arguments', lines(piece(0, { name: 'A' }, 'a'), finish('tool_calls')) + DONE, of(calls(['A', {}]), 'tool_use')],
    ['40 no id', lines(piece(0, { name: 'A', arguments: '{}' }), finish('tool_calls')) + DONE, of(calls(['A', {}]), 'tool_use')],
    [
      '41 "stop" after a call',
      lines(piece(0, { name: 'A', arguments: '{}' }, 'a'), finish('stop')) + DONE,
      of(calls(['A', {}]), 'tool_use'),
    ],
    ['42 the limit', lines(delta({ content: 'a' }), finish('length')) + DONE, of(says('a'), 'max_tokens')],
    ['43 a filter', lines(delta({ content: 'a' }), finish('content_filter')) + DONE, of(says('a'), 'refusal')],
    [
      '44 no usage',
      lines(delta({ content: 'a' }), finish('stop')) + DONE,
      of(says('a'), 'end_turn', { usage: { input_tokens: 0, output_tokens: 0 } }),
    ],
    [
      '45, 46 late usage with a cache',
      lines(delta({ content: 'a' }), finish('stop'), {
        choices: [],
        usage: { prompt_tokens: 10, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 7 } },
      }) + DONE,
      of(says('a'), 'end_turn', { usage: { input_tokens: 3, cache_read_input_tokens: 7, cache_creation_input_tokens: 0 } }),
    ],
    ['47 an error first', lines({ error: { message: 'no', code: 500 } }), broken],
    ['48 an error in the middle', lines(delta({ content: 'a' }), { error: { message: 'no', code: 500 } }), broken],
    ['49 cut off', lines(delta({ content: 'a' })), broken],
    ['50 no end mark', lines(delta({ content: 'a' }), finish('stop')), of(says('a'))],
    [
      '52 CRLF, comments, no space',
      `: hm\r\n\r\ndata:${JSON.stringify(delta({ content: 'a' }))}\r\n\r\ndata:${JSON.stringify(finish('stop'))}\r\n\r\n${DONE}`,
      of(says('a')),
    ],
    ['52 an event of a megabyte', lines(delta({ content: 'a'.repeat(1_000_000) }), finish('stop')) + DONE, of(says('a'.repeat(1_000_000)))],
    ['53 nothing', lines(finish('stop')) + DONE, of([])],
    [
      'blank text',
      lines(delta({ content: ' \n' }), piece(0, { name: 'A' }, 'a'), finish('tool_calls')) + DONE,
      of(calls(['A', {}]), 'tool_use'),
    ],
  ])('%s', async (_, stream, expected) => {
    for (const size of [1, 7, stream.length]) {
      if (stream.length / size > 100_000) continue // character by character
      const events = await answerTo(openai, stream, size)
      expect(events.every(({ type }) => type !== 'ping')).toBe(true)
      expect(sumOf(events)).toMatchObject(expected)
    }
  })

  it('51 a character may be split between two packets', async () => {
    expect(sumOf(await answerTo(openai, lines(delta({ content: '😀' }), finish('stop')), 1))).toMatchObject(of(says('😀')))
  })

  it('55 stops when whoever reads it stops', async () => {
    const ended = Promise.withResolvers<void>()
    async function* bytes() {
      try {
        for (;;) yield await Promise.resolve(Buffer.from(lines(delta({ content: 'a' }))))
      } finally {
        ended.resolve()
      }
    }
    for await (const event of readStream(bytes(), openai.createReader(), openai.endMark, FAILURES)) if (event.type === 'text') break
    await expect(ended.promise).resolves.toBe(undefined)
  })

  it('39 arguments that are no JSON come whole, so that they can be refused before anything is written', async () => {
    const reader = openai.createReader()
    for (const chunk of [piece(0, { name: 'A', arguments: '{"x"' }, 'a'), finish('tool_calls')]) reader.addEvent(chunk)
    expect(reader.answer().toolCalls).toEqual([{ id: 'a', name: 'A', arguments: '{"x"' }])
  })
})

const FAILURES = {
  unreadable: (detail: string) => new ProviderError('bad_answer', { detail }),
  refused: ({ reason }: { reason: string }) => new ProviderError('refused', { reason }),
  brokenOff: () => new ProviderError('unreachable'),
}

/** Reads a stream in pieces, and writes it as events of the Messages API. */
async function answerTo(dialect: Dialect, stream: string, size: number): Promise<Json[]> {
  const bytes = Buffer.from(stream)
  const reader = dialect.createReader()
  const writer = createMessagesWriter({ id: 'chatcmpl-1', model: 'gym-x', isChecked: false })
  const events: Json[] = []
  async function* pieces() {
    for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size))
  }
  try {
    for await (const event of readStream(pieces(), reader, dialect.endMark, FAILURES)) events.push(...writer.add(event))
    events.push(...writer.end(reader.answer()))
  } catch (error) {
    events.push(...writer.fail((error as Error).message))
  }
  expect(events.map((event) => messagesEvent(event as { type: string })).join('')).toMatch(/^(?:event: \w+\ndata: \{.*\}\n\n)+$/)
  return events
}

/** What a client makes of the events; throws if they are not in order. */
function sumOf(events: readonly Json[]): Json {
  if (events.at(-1)?.['type'] === 'error') return { error: true }
  const content: Json[] = []
  let sum: Json = {}
  let open = -1
  let json = ''
  let isInOrder = true
  for (const event of events) {
    const { type, index } = event
    const given = (event['delta'] ?? event['content_block'] ?? {}) as Json
    if (type === 'content_block_start') {
      isInOrder &&= open === -1 && index === content.length
      open = index as number
      json = ''
      content.push({ ...given })
    } else if (type === 'content_block_delta') {
      isInOrder &&= index === open
      const block = content[open]!
      if (given['type'] === 'text_delta') block['text'] = String(block['text']) + String(given['text'])
      else json += String(given['partial_json'])
    } else if (type === 'content_block_stop') {
      if (json !== '') content[open]!['input'] = JSON.parse(json)
      open = -1
    } else if (type === 'message_delta') sum = { content, stop_reason: given['stop_reason'], usage: event['usage'] }
  }
  expect([events[0]!['type'], events.at(-1)!['type'], open, isInOrder]).toEqual(['message_start', 'message_stop', -1, true])
  const ids = content.flatMap(({ id }) => (id === undefined ? [] : [id as string]))
  expect(new Set(ids).size).toBe(ids.length)
  for (const id of ids) expect(id).toMatch(/^toolu_[A-Za-z0-9]{24}$/)
  return sum
}

describe('what leaves the student', () => {
  const answer = (more: Partial<Completion>): Completion => ({
    text: '',
    thinking: 'secret thought',
    toolCalls: [],
    stopped: 'end',
    usage: { input: 5, output: 2, cacheRead: null, cacheWrite: null },
    costUsd: null,
    ...more,
  })
  const odd = ['call_x.y:z', '', 'dup', 'dup', 'é x', 'y'.repeat(200)].map((id) => ({ id, name: 'Bash', arguments: '{"command":"ls"}' }))

  it('has new names of calls, no thoughts, no blank text, and the name that the client asked for', () => {
    const message = messageOf(answer({ text: ' ', toolCalls: odd }), { id: 'chatcmpl-1', model: 'gym-x', isChecked: true }) as Json
    const content = message['content'] as Json[]
    expect(content.map(({ type }) => type)).toEqual(odd.map(() => 'tool_use'))
    expect(new Set(content.map(({ id }) => id)).size).toBe(odd.length)
    for (const { id } of content) expect(id).toMatch(/^toolu_[A-Za-z0-9]{24}$/)
    expect(message).toMatchObject({
      id: 'chatcmpl-1',
      model: 'gym-x',
      stop_reason: 'tool_use',
      safeguard_results: [{ type: 'dangerous_tool_use', status: { type: 'available', tool_uses: {} } }],
    })
    expect(JSON.stringify(message)).not.toContain('secret thought')
  })

  it('says in a stream too that nobody checked the calls, and only if the client asked', () => {
    const last = (isChecked: boolean) =>
      JSON.stringify(createMessagesWriter({ id: 'x', model: 'm', isChecked }).end({ toolCalls: odd, stopped: 'tools', usage: null }).at(-2))
    expect(last(true)).toContain('"safeguard_results":[{"type":"dangerous_tool_use","status":{"type":"available","tool_uses":{}}}]')
    expect(last(false)).not.toContain('safeguard')
    expect(last(true)).not.toContain('evaluated')
  })

  it('makes names that do not repeat', () => {
    const ids = Array.from({ length: 5000 }, newCallId)
    expect(new Set(ids).size).toBe(ids.length)
  })
})

describe('a chat completion as a request of the Messages API', () => {
  const function_ = { name: 'Bash', description: 'Runs', parameters: { type: 'object' } }
  test.each<[string, Json, Json]>([
    [
      '56, 57 results of one turn, content null',
      {
        messages: [
          HI,
          { role: 'assistant', content: null, tool_calls: called('a', 'b').tool_calls },
          { role: 'tool', tool_call_id: 'a', content: 'A' },
          { role: 'tool', tool_call_id: 'b', content: 'B' },
        ],
      },
      { messages: [HI, { role: 'assistant', content: [use('a'), use('b')] }, user(result('a', 'A'), result('b', 'B'))] },
    ],
    ['58 the role developer', { messages: [{ role: 'developer', content: 'Be brief.' }, HI] }, { system: 'Be brief.', messages: [HI] }],
    [
      '59 a schema of the answer',
      { response_format: { type: 'json_schema', json_schema: { name: 'out', schema: { type: 'object' } } } },
      { tools: [{ name: 'out', input_schema: { type: 'object' } }], tool_choice: { type: 'tool', name: 'out' } },
    ],
    [
      'tools and one call',
      { tools: [{ type: 'function', function: function_ }], tool_choice: 'required', parallel_tool_calls: false },
      { tools: [tool()], tool_choice: { type: 'any', disable_parallel_tool_use: true } },
    ],
    ['an image', { messages: [{ role: 'user', content: [text('hi'), dataUrl] }] }, { messages: [user(PNG, text('hi'))] }],
    ['limits', { max_completion_tokens: 7, stop: 'END' }, { max_tokens: 7, stop_sequences: ['END'] }],
  ])('%s', (_, body, expected) => expect(toMessages(body)).toMatchObject(expected))

  it('60 refuses more than one answer', () => expect(() => toMessages({ n: 2 })).toThrow(Untranslatable))

  it('54 is answered by chunks: text as it comes, calls whole, the reason and the counts at the end', () => {
    const reader = anthropic.createReader()
    const writer = createChatWriter({ id: 'chatcmpl-1', model: 'm', created: 1, format: null }, true)
    const chunks: object[] = []
    const add = (event: Json) => {
      const events = reader.addEvent(event)
      for (const one of Array.isArray(events) ? events : []) chunks.push(...writer.add(one))
    }
    const block = (index: number, content_block: Json, ...deltas: Json[]) => {
      add({ type: 'content_block_start', index, content_block })
      for (const given of deltas) add({ type: 'content_block_delta', index, delta: given })
      add({ type: 'content_block_stop', index })
    }
    add({ type: 'message_start', message: { usage: { input_tokens: 3, output_tokens: 0, cache_read_input_tokens: 4 } } })
    add({ type: 'ping' })
    block(0, { type: 'thinking', thinking: '' }, { thinking: 'hm' }, { signature: 's' })
    block(1, { type: 'text', text: '' }, { text: 'ok' })
    block(2, use('toolu_1', 'Bash', {}), { partial_json: '{"command"' }, { partial_json: ':"ls"}' })
    add({ type: 'message_delta', delta: { stop_reason: 'tool_use' }, usage: { output_tokens: 9 } })
    chunks.push(...writer.end(reader.answer()))
    expect(chunks).toMatchObject([
      { choices: [{ delta: { role: 'assistant' } }] },
      { choices: [{ delta: { reasoning_content: 'hm' } }] },
      { choices: [{ delta: { content: 'ok' } }] },
      { choices: [{ delta: { tool_calls: [{ index: 0, id: 'toolu_1', function: { name: 'Bash', arguments: '{"command":"ls"}' } }] } }] },
      { choices: [{ delta: {}, finish_reason: 'tool_calls' }] },
      { choices: [], usage: { prompt_tokens: 7, completion_tokens: 9, prompt_tokens_details: { cached_tokens: 4 } } },
    ])
  })
})

test('61 requests that Claude Code sent go there and back', () => {
  const folder = path.resolve(import.meta.dirname, '../../../stages/router/fixtures')
  const bodies = fs.readdirSync(folder).map((name) => (JSON.parse(fs.readFileSync(path.join(folder, name), 'utf8')) as { body: Json }).body)
  expect(bodies.length).toBeGreaterThan(8)
  for (const body of bodies) {
    const chat = toChat(body)
    expect(() => toMessages({ ...chat, model: 'm' })).not.toThrow()
    expect(readChatRequest(chat).request.messages).toEqual(readMessagesRequest({ ...toMessages(chat) }).messages)
  }
})

test('any conversation becomes one that a template can read', () => {
  const words = fc.string({ maxLength: 8 })
  const id = fc.constantFrom('a', 'b', 'call.1', '')
  const inner = fc.oneof(words, fc.array(fc.oneof(words.map(text), fc.constant(PNG)), { maxLength: 3 }), fc.constant(undefined))
  const userPart = fc.oneof(
    words.map(text),
    fc.constant(PNG),
    fc.tuple(id, inner, fc.boolean()).map(([of_, content, is_error]) => result(of_, content, { is_error })),
  )
  const answerPart = fc.oneof(
    words.map(text),
    id.map((of_) => use(of_)),
    fc.constant({ type: 'thinking', thinking: 'x', signature: '' }),
  )
  const message = fc.oneof(
    fc.array(userPart, { maxLength: 4 }).map((content) => ({ role: 'user', content })),
    words.map((content) => ({ role: 'user', content })),
    fc.array(answerPart, { maxLength: 4 }).map((content) => ({ role: 'assistant', content })),
    words.map((content) => ({ role: 'system', content })),
  )
  fc.assert(
    fc.property(fc.array(message, { maxLength: 10 }), (given) => {
      const messages = messagesIn({ role: 'user', content: 'begin' }, ...given) as {
        role: string
        tool_calls?: { id: string }[]
        tool_call_id?: string
      }[]
      expect(faultsIn(messages)).toEqual([])
    }),
    { numRuns: 300 },
  )
})

/** What a template would refuse. */
function faultsIn(messages: readonly { role: string; tool_calls?: { id: string }[]; tool_call_id?: string }[]): string[] {
  let waiting: string[] = []
  const faults: string[] = []
  for (const [at, { role, tool_calls: calls = [], tool_call_id: of_ }] of messages.entries()) {
    if (role === 'system' && at > 0) faults.push('system in the middle')
    if (role === 'tool' && of_ !== waiting.shift()) faults.push('a result of another call')
    if (role !== 'tool' && waiting.length > 0) faults.push('a call without a result')
    if (role === 'user' && messages[at - 1]?.role === 'user') faults.push('two messages of the user')
    if (role !== 'tool') waiting = calls.map(({ id }) => id)
    if (new Set(waiting).size !== waiting.length) faults.push('one name for two calls')
  }
  return waiting.length > 0 ? [...faults, 'a call without a result'] : faults
}
