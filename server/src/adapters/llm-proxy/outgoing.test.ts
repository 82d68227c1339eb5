/** Attacks on what may leave a run without network: an agent that asks the endpoint to reach one. */
import { once } from 'node:events'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLedger } from '../llm/index.ts'
import { createLlmProxy, type GrantAccess, PROXY_PATHS, type ProxyDialect, type ProxyExchange, type ProxyPath } from './index.ts'

const OUT = 'https://out.example/?secret=1'
let received: { headers: http.IncomingHttpHeaders; body: Record<string, unknown>; raw: string }[]
let exchanges: ProxyExchange[]
const closing: (() => unknown)[] = []
let url: string
beforeEach(async () => {
  received = []
  exchanges = []
  const server = http.createServer(async (request, response) => {
    const raw = await text(request)
    received.push({ headers: request.headers, body: JSON.parse(raw) as Record<string, unknown>, raw })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  closing.push(() => {
    server.close()
    server.closeAllConnections()
  })
})
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

async function openGrant(dialect: ProxyDialect): Promise<GrantAccess> {
  const proxy = createLlmProxy()
  closing.push(() => proxy.close())
  return proxy.grant({
    upstream: { dialect, baseUrl: url, key: async () => 'key' },
    allowedPaths: PROXY_PATHS,
    ledger: createLedger({ caps: {} }),
    clear: null,
    model: 'm',
    price: () => null,
    onExchange: (exchange) => void exchanges.push(exchange),
    signal: new AbortController().signal,
  })
}
const post = ({ baseUrl, token }: GrantAccess, path: ProxyPath, body: object, headers = {}) =>
  fetch(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'x-api-key': token, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  }).then(async (response) => ({ status: response.status, text: await response.text() }))

const client = { name: 'Bash', description: 'Runs', input_schema: { type: 'object' }, cache_control: { type: 'ephemeral' } }
const user = (content: unknown) => [{ role: 'user', content }]
const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBO' } }

const MESSAGES: [string, object, string][] = [
  ['an MCP server', { mcp_servers: [{ type: 'url', url: OUT, name: 'x' }] }, 'mcp_servers'],
  ['an MCP tool set', { tools: [client, { type: 'mcp_toolset', mcp_server_name: OUT }] }, 'tools: mcp_toolset'],
  ['web search', { tools: [client, { type: 'web_search_20250305', name: OUT }] }, 'tools: web_search_20250305'],
  ['web fetch', { tools: [{ type: 'web_fetch_20250910', name: OUT, input_schema: {} }] }, 'tools: web_fetch_20250910'],
  ['code execution', { tools: [{ type: 'code_execution_20250825', name: OUT }], container: OUT }, 'tools: code_execution_20250825'],
  ['a tool without a schema', { tools: [{ name: OUT }] }, 'tools: custom'],
  ['a container', { container: { id: OUT, skills: [] } }, 'container'],
  ['metadata', { metadata: { user_id: OUT } }, 'metadata'],
  ['an image by address', { messages: user([{ type: 'image', source: { type: 'url', url: OUT } }]) }, 'source: url'],
  ['an image by file id', { messages: user([{ type: 'image', source: { type: 'file', file_id: OUT } }]) }, 'source: file'],
  ['a document by address', { messages: user([{ type: 'document', source: { type: 'url', url: OUT } }]) }, 'source: url'],
  [
    'an image by address in a result',
    { messages: user([{ type: 'tool_result', tool_use_id: 't', content: [{ type: 'image', source: { type: 'url', url: OUT } }] }]) },
    'source: url',
  ],
  ['an upload for a container', { messages: user([{ type: 'container_upload', file_id: OUT }]) }, 'messages.content: container_upload'],
  ['an address beside image data', { messages: user([{ ...image, source: { ...image.source, url: OUT } }]) }, 'source: base64.url'],
  ['a longer cache', { system: [{ type: 'text', text: 'x', cache_control: { type: 'ephemeral', ttl: OUT } }] }, 'cache_control.ttl'],
  ['a faster, dearer model', { speed: OUT, service_tier: OUT }, 'speed'],
  ['a field of tomorrow', { reach_out: OUT, __proto__x: OUT }, 'reach_out'],
  ['compaction by the endpoint', { context_management: { edits: [{ type: 'compact_20260112', instructions: OUT }] } }, 'compact_20260112'],
]
const CHAT: [string, object, string][] = [
  ['web search', { web_search_options: { user_location: OUT } }, 'web_search_options'],
  ['a tool of the endpoint', { tools: [{ type: 'web_search', url: OUT }] }, 'tools: web_search'],
  ['plug-ins of a router', { plugins: [{ id: 'web', search_prompt: OUT }], models: [OUT] }, 'plugins'],
  ['an image by address', { messages: user([{ type: 'image_url', image_url: { url: OUT } }]) }, 'image_url'],
  ['a file', { messages: user([{ type: 'file', file: { file_id: OUT } }]) }, 'messages.content: file'],
  ['storage', { store: true, metadata: { a: OUT }, user: OUT }, 'store'],
]
const RESPONSES: [string, object, string][] = [
  ['a built-in tool', { tools: [{ type: 'web_search', filters: { allowed_domains: [OUT] } }] }, 'tools: web_search'],
  ['an MCP server', { tools: [{ type: 'mcp', server_url: OUT }] }, 'tools: mcp'],
  ['a built-in tool in a namespace', { tools: [{ type: 'namespace', name: 'n', tools: [{ type: 'mcp', server_url: OUT }] }] }, 'mcp'],
  ['a stored prompt', { prompt: { id: OUT }, previous_response_id: OUT, conversation: OUT }, 'prompt'],
  ['work in the background', { background: true, metadata: { a: OUT } }, 'background'],
  ['a reference to a stored item', { input: [{ type: 'item_reference', id: OUT }] }, 'input: item_reference'],
  ['an image by address', { input: [{ role: 'user', content: [{ type: 'input_image', image_url: OUT }] }] }, 'image_url'],
  ['a file by address', { input: [{ role: 'user', content: [{ type: 'input_file', file_url: OUT }] }] }, 'input_file'],
  ['an approval of a call', { input: [{ type: 'mcp_approval_response', approval_request_id: OUT }] }, 'mcp_approval_response'],
]
const ALL = [
  ...MESSAGES.map((one) => ['anthropic', '/v1/messages', ...one] as const),
  ...CHAT.map((one) => ['openai', '/v1/chat/completions', ...one] as const),
  ...RESPONSES.map((one) => ['openai', '/v1/responses', ...one] as const),
]

describe('a request of an agent without network', () => {
  it.each(ALL)('%s %s is sent without %s, and says so', async (dialect, path, _, attack, name) => {
    const grant = await openGrant(dialect)
    const rest = path === '/v1/responses' ? { input: 'Hello' } : { messages: user('Hello') }
    expect((await post(grant, path, { model: 'm', ...rest, ...attack })).status).toBe(200)
    expect(received[0]!.raw).not.toContain('out.example')
    expect(exchanges[0]!.removed.join('\n')).toContain(name)
  })

  it('keeps what clients need, and tells the model what it does not get', async () => {
    const kept = {
      model: 'm',
      max_tokens: 10,
      stream: false,
      system: [{ type: 'text', text: 's', cache_control: { type: 'ephemeral' } }],
      messages: [
        { role: 'user', content: [{ type: 'text', text: 'a' }, image] },
        { role: 'system', content: [], output_config: { effort: 'medium' } },
        { role: 'assistant', content: [{ type: 'thinking', thinking: 't', signature: 's' }, { type: 'tool_use', id: 'i', name: 'Bash', input: { any: { thing: [1] } } }] }, // prettier-ignore
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'i', is_error: false, content: [{ type: 'tool_reference', tool_name: 'x' }] }] }, // prettier-ignore
      ],
      tools: [client, { ...client, type: 'custom', defer_loading: true }],
      tool_choice: { type: 'tool', name: 'Bash' },
      thinking: { type: 'adaptive', display: 'updates' },
      context_management: { edits: [{ type: 'clear_thinking_20251015', keep: 'all' }] },
      output_config: { effort: 'high' },
    }
    const grant = await openGrant('anthropic')
    await post(grant, '/v1/messages', kept)
    expect([received[0]!.body, exchanges[0]!.removed]).toEqual([kept, []])
    await post(grant, '/v1/messages', { ...kept, messages: user([{ type: 'image', source: { type: 'url', url: OUT } }]) })
    expect(received[1]!.body['messages']).toEqual(user([{ type: 'text', text: expect.stringContaining('removed by Bash Gym') as string }]))
    await post(grant, '/v1/messages', { ...kept, tools: [{ type: 'web_search_20250305', name: 'Bash' }] })
    expect(Object.keys(received[2]!.body)).not.toContain('tools')
    expect(Object.keys(received[2]!.body)).not.toContain('tool_choice')
  })

  it('passes on only betas and headers that it knows', async () => {
    const grant = await openGrant('anthropic')
    const betas = 'claude-code-20250219,mcp-client-2025-04-04,files-api-2025-04-14,web-fetch-2025-09-10,context-1m-2025-08-07'
    await post(
      grant,
      '/v1/messages',
      { model: 'm' },
      { 'anthropic-beta': betas, 'anthropic-workspace': OUT, 'x-out': OUT, 'openai-beta': OUT },
    )
    expect(received[0]!.headers['anthropic-beta']).toBe('claude-code-20250219')
    expect(JSON.stringify(received[0]!.headers)).not.toContain('out.example')
    expect(exchanges[0]!.removed).toContain('anthropic-beta: mcp-client-2025-04-04')
  })

  it('refuses another model, whose name could switch on web search', async () => {
    const grant = await openGrant('openai')
    for (const model of ['m:online', 'gpt-4o-search-preview', undefined])
      expect((await post(grant, '/v1/chat/completions', { model, messages: user('Hello') })).status).toBe(403)
    expect(received).toEqual([])
  })

  it('is refused if it is nested too deeply, and its names are shown without control characters', async () => {
    const grant = await openGrant('anthropic')
    const deep = `{"model":"m","messages":[{"role":"user","content":[{"type":"tool_use","id":"i","name":"n","input":${'['.repeat(200_000)}${']'.repeat(200_000)}}]}]}` // prettier-ignore
    const answer = await fetch(`${grant.baseUrl}/v1/messages`, { method: 'POST', headers: { 'x-api-key': grant.token }, body: deep })
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining('nested deeper than 200 levels')])
    await post(grant, '/v1/messages', { model: 'm', '\u001b[2J\u202e': 1 })
    expect(exchanges.at(-1)!.removed).toEqual(['??2J?'])
  })

  it('never sends an address that is not text of the conversation, whatever the body', async () => {
    const grant = await openGrant('anthropic')
    const name = fc.constantFrom(
      'type',
      'url',
      'source',
      'content',
      'text',
      'tools',
      'messages',
      'file_id',
      'container',
      'image',
      'mcp_servers',
    )
    const value = fc.letrec((tie) => ({
      any: fc.oneof({ maxDepth: 5 }, fc.constantFrom('url', 'image', 'document', 'base64', 'user', 'custom', 'file'), fc.constant({ url: OUT }), fc.array(tie('any'), { maxLength: 3 }), fc.dictionary(name, tie('any'), { maxKeys: 4 })), // prettier-ignore
    })).any
    await fc.assert(
      fc.asyncProperty(value, value, async (messages, tools) => {
        await post(grant, '/v1/messages', { model: 'm', messages: [messages], tools: [tools], more: messages })
        expect(received.at(-1)!.raw).not.toContain('"url"')
      }),
      { numRuns: 100 },
    )
  })
})
