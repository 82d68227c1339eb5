import { anthropic } from './anthropic/dialect.ts'
import { expect, it } from 'vitest'
import { createLoopbackClient, type ChatRequest } from './index.ts'
import { startStub, type Reply } from './testing-stub.ts'

const CONVERSATION: ChatRequest = {
  model: 'm-1',
  system: 'Be brief.',
  messages: [
    { role: 'user', content: 'Look at both.' },
    {
      role: 'assistant',
      content: 'I look.',
      toolCalls: [
        { id: 'c1', name: 'Bash', arguments: '{"command":"cat a"}' },
        { id: 'c2', name: 'Bash', arguments: '{"command":"cat b"}' },
      ],
    },
    { role: 'tool', callId: 'c1', content: 'A' },
    { role: 'tool', callId: 'c2', content: 'no such file', isError: true },
    { role: 'user', content: 'And?' },
  ],
  tools: [{ name: 'Bash', description: 'Runs a command', inputSchema: { type: 'object', properties: {} } }],
  maxTokens: 64,
  temperature: 0,
  seed: 7,
}

async function askModel(dialect: 'anthropic' | 'openai', request: ChatRequest, reply: Reply) {
  const stub = await startStub(() => reply)
  try {
    const client = createLoopbackClient({ dialect, baseUrl: stub.url, key: null, timeoutMs: 60_000, price: null })
    const completion = await client.ask(request, new AbortController().signal)
    return { completion, body: stub.received[0]!.body as unknown }
  } finally {
    await stub.close()
  }
}

it('the Messages API gets calls as blocks and all results of an answer in one message, and its calls are read', async () => {
  const content = [
    { type: 'thinking', thinking: 'Hm.', signature: 's' },
    { type: 'text', text: 'Once more.' },
    { type: 'tool_use', id: 'c3', name: 'Bash', input: { command: 'ls', n: 1 } },
  ]
  const usage = { input_tokens: 5, output_tokens: 6, cache_read_input_tokens: 7, cache_creation_input_tokens: 0 }
  const raw = JSON.stringify({ type: 'message', content, stop_reason: 'tool_use', usage })
  const { completion, body } = await askModel('anthropic', CONVERSATION, { raw })
  expect(body).toEqual({
    model: 'm-1',
    max_tokens: 64,
    system: 'Be brief.',
    messages: [
      { role: 'user', content: 'Look at both.' },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'c1', name: 'Bash', input: { command: 'cat a' } },
          { type: 'tool_use', id: 'c2', name: 'Bash', input: { command: 'cat b' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'c1', content: 'A' },
          { type: 'tool_result', tool_use_id: 'c2', content: 'no such file', is_error: true },
        ],
      },
      { role: 'user', content: 'And?' },
    ],
    tools: [{ name: 'Bash', description: 'Runs a command', input_schema: { type: 'object', properties: {} } }],
    temperature: 0,
  })
  expect(completion).toEqual({
    text: 'Once more.',
    thinking: 'Hm.',
    toolCalls: [{ id: 'c3', name: 'Bash', arguments: '{"command":"ls","n":1}' }],
    stopped: 'tools',
    usage: { input: 12, output: 6, cacheRead: 7, cacheWrite: 0 },
    costUsd: null,
  })
})

it('a tool call whose arguments are not a JSON object is not sent to the Messages API', async () => {
  const request: ChatRequest = {
    ...CONVERSATION,
    messages: [{ role: 'assistant', content: '', toolCalls: [{ id: 'c', name: 'Bash', arguments: '{torn' }] }],
  }
  await expect(askModel('anthropic', request, { text: 'a' })).rejects.toMatchObject({
    kind: 'refused',
    mayCost: false,
    message: expect.stringContaining('Bash') as string,
  })
})

it('the chat completions API gets calls as functions and a message for each result, and its calls are read', async () => {
  const message = {
    content: null,
    reasoning_content: 'Hm.',
    tool_calls: [{ id: 'c3', type: 'function', function: { name: 'Bash', arguments: '{"command":"ls"}' } }],
  }
  const usage = { prompt_tokens: 5, completion_tokens: 6, prompt_tokens_details: { cached_tokens: 4 } }
  const raw = JSON.stringify({ choices: [{ message, finish_reason: 'tool_calls' }], usage })
  const { completion, body } = await askModel('openai', CONVERSATION, { raw })
  const call = (id: string, file: string) => ({ id, type: 'function', function: { name: 'Bash', arguments: `{"command":"cat ${file}"}` } })
  expect(body).toEqual({
    model: 'm-1',
    max_tokens: 64,
    messages: [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Look at both.' },
      { role: 'assistant', content: 'I look.', tool_calls: [call('c1', 'a'), call('c2', 'b')] },
      { role: 'tool', tool_call_id: 'c1', content: 'A' },
      { role: 'tool', tool_call_id: 'c2', content: 'no such file' },
      { role: 'user', content: 'And?' },
    ],
    tools: [
      { type: 'function', function: { name: 'Bash', description: 'Runs a command', parameters: { type: 'object', properties: {} } } },
    ],
    temperature: 0,
    seed: 7,
  })
  expect(completion).toEqual({
    text: '',
    thinking: 'Hm.',
    toolCalls: [{ id: 'c3', name: 'Bash', arguments: '{"command":"ls"}' }],
    stopped: 'tools',
    usage: { input: 5, output: 6, cacheRead: 4, cacheWrite: null },
    costUsd: null,
  })
})

it('what was written to a cache for an hour is told apart, in an answer and in a stream', () => {
  const usage = { input_tokens: 1, output_tokens: 2, cache_creation_input_tokens: 30, cache_creation: { ephemeral_1h_input_tokens: 20 } }
  const read = { input: 31, output: 2, cacheRead: null, cacheWrite: 30, cacheWrite1h: 20 }
  expect(anthropic.read({ type: 'message', content: [], stop_reason: 'end_turn', usage })?.usage).toEqual(read)
  const reader = anthropic.createReader()
  reader.addEvent({ type: 'message_start', message: { usage } })
  reader.addEvent({ type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 2 } })
  expect(reader.answer().usage).toEqual(read)
})
