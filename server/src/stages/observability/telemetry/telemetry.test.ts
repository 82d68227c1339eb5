import fs from 'node:fs'
import http from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, expect, test, vi } from 'vitest'
import { Settings } from '#contracts/entities/settings.ts'
import { type Received, decode, encode, type TraceDocument } from '#server/adapters/otlp/index.ts'
import { writeRequest } from '#server/adapters/otlp/messages.ts'
import { recordRequest, recordSpan, recordTrace } from '#server/spans/index.ts'
import { openCore } from '#server/testing/core.ts'
import { startTestServer } from '#server/testing/server.ts'
import type { Cleared } from '../../privacy/index.ts'
import { createLine } from './line.ts'
import { createTelemetryOut, isSampled } from './out.ts'

const closing: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close()
})

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const count = (key: string, intValue: number) => ({ key, value: { intValue: String(intValue) } })
const SESSION = '11111111-2222-3333-4444-555555555555'
const TRACE = 'b8fdc0f5cd6d17a080495c23e34c408e'

/** What Claude Code 2.1.329 sends for one prompt with one request and a call that failed. */
function telemetry(more: { from?: number } = {}): TraceDocument {
  const { from = 1_795_956_941_000 } = more
  const span = (
    spanId: string,
    parentSpanId: string | undefined,
    name: string,
    at: [number, number],
    attributes: object[],
    status: object = { code: 0 },
  ) => ({
    traceId: TRACE,
    spanId,
    ...(parentSpanId !== undefined && { parentSpanId }),
    name: `claude_code.${name}`,
    kind: 1,
    startTimeUnixNano: `${from + at[0]}000000`,
    endTimeUnixNano: `${from + at[1]}000000`,
    attributes: [text('session.id', SESSION), text('span.type', name), ...attributes],
    status,
  })
  const spans = [
    span('0000000000000001', undefined, 'interaction', [0, 900], [text('user_prompt', '<REDACTED>')]),
    span(
      '0000000000000002',
      '0000000000000001',
      'llm_request',
      [10, 200],
      [
        text('model', 'claude-opus-5-5'),
        text('request_id', 'req_1'),
        count('input_tokens', 1000),
        count('output_tokens', 20),
        count('cache_read_tokens', 0),
        count('cache_creation_tokens', 200),
      ],
    ),
    span('0000000000000003', '0000000000000001', 'tool', [210, 600], [text('tool_name', 'Bash'), text('bash_argv0', 'npm')]),
    span('0000000000000004', '0000000000000003', 'tool.blocked_on_user', [210, 400], [text('decision', 'accept')]),
    span('0000000000000005', '0000000000000003', 'tool.execution', [400, 600], [], { code: 2, message: 'ShellError' }),
  ]
  return {
    resourceSpans: [{ resource: { attributes: [text('service.name', 'claude-code')] }, scopeSpans: [{ scope: { name: 'x' }, spans }] }],
  }
}

const logs = {
  resourceLogs: [
    {
      resource: { attributes: [text('service.name', 'claude-code')] },
      scopeLogs: [
        {
          logRecords: [
            {
              timeUnixNano: '1795956941953000000',
              attributes: [
                text('event.name', 'api_request'),
                text('session.id', SESSION),
                text('request_id', 'req_1'),
                text('model', 'claude-opus-5-5'),
                count('input_tokens', 1000),
                count('output_tokens', 20),
                { key: 'cost_usd', value: { doubleValue: 0.0054 } },
              ],
            },
            { timeUnixNano: '1795956941953000000', attributes: [text('event.name', 'user_prompt')] },
          ],
        },
      ],
    },
  ],
}

async function listening() {
  const server = await startTestServer()
  closing.push(() => server.close())
  await server.client.patchSettings({ body: { telemetry: { in: true, inPort: await freePort() } } })
  const telemetryIn = (await server.client.getTelemetry({})).in
  const token = telemetryIn.variables.find(({ name }) => name === 'OTEL_EXPORTER_OTLP_HEADERS')!.value.split('=')[1]!
  const post = async (signal: string, body: Uint8Array | string, headers: Record<string, string> = {}) =>
    fetch(`${telemetryIn.address}/v1/${signal}`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', connection: 'close', 'x-bashgym-token': token, ...headers },
    })
  return { ...server, post, token, status: async () => (await server.client.getTelemetry({})).in }
}
async function freePort(): Promise<number> {
  const server = http.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}

test('spans in JSON and protobuf are the same, and numbers that are zero are known', () => {
  const read = (bytes: Uint8Array, isJson: boolean): Received => decode({ signal: 'traces', bytes, isJson, isGzip: false, limit: 1e6 })
  const json = read(Buffer.from(JSON.stringify(telemetry())), true)
  expect(read(encode(telemetry()), false)).toEqual(json)
  expect(json.spans[1]).toMatchObject({ traceId: TRACE, parentId: '0000000000000001', startedAt: 1_795_956_941_010, durationMs: 190 })
  expect(json.spans[1]!.attributes.get('cache_read_tokens')).toBe(0)
  const asBytes = writeRequest('logs', logs)
  const of = (bytes: Uint8Array, isJson: boolean) => decode({ signal: 'logs', bytes, isJson, isGzip: false, limit: 1e6 })
  expect(of(asBytes, false)).toEqual(of(Buffer.from(JSON.stringify(logs)), true))
})

test('telemetry of Claude Code is a profile, and what comes twice is stored once', async () => {
  const { post, client, status } = await listening()
  expect(await (await post('traces', JSON.stringify(telemetry()))).json()).toEqual({})
  const protobuf = { 'content-type': 'application/x-protobuf', 'content-encoding': 'gzip' }
  expect(await (await post('traces', gzipSync(encode(telemetry())), protobuf)).text()).toBe('')
  await post('logs', JSON.stringify(logs))
  await post('logs', JSON.stringify(logs))
  await post('metrics', JSON.stringify({ resourceMetrics: [{ scopeMetrics: [{ metrics: [{ name: 'claude_code.cost.usage' }] }] }] }))
  expect(await status()).toMatchObject({ spans: 5, repeated: 5, requests: 1, ignored: 3, refused: 0 })

  const { items, total } = await client.listProfiles({ query: { of: 'recorded' } })
  expect(total).toBe(1)
  expect(items[0]).toMatchObject({
    id: TRACE,
    source: 'telemetry',
    title: 'claude-code',
    summary: {
      durationMs: 900,
      waitingMs: 190,
      toolCalls: 1,
      llmCalls: { count: 1 },
      tokens: { input: 1000, output: 20, cacheRead: 0, cacheWrite: 200 },
    },
  })
  const profile = await client.getProfile({ params: { id: TRACE } })
  expect(profile.spans.map(({ kind, name, error }) => [kind, name, error ?? null])).toEqual([
    ['agent', 'claude-code', null],
    ['llm', 'claude-opus-5-5', null],
    ['tool', 'Bash', 'failed: ShellError'],
    ['wait', 'asks you', null],
    ['other', 'tool.execution', 'failed: ShellError'],
  ])
  expect(profile.sessionId).toBeNull()
})

test('spans that come in pieces, with clocks apart, are one tree', async () => {
  const { post, client } = await listening()
  const [first, ...rest] = telemetry().resourceSpans[0]!.scopeSpans[0]!.spans
  const only = (spans: object[], from?: number) => {
    const document = telemetry(from === undefined ? {} : { from })
    document.resourceSpans[0]!.scopeSpans[0]!.spans = spans as typeof rest
    return JSON.stringify(document)
  }
  const early = { ...rest[1]!, startTimeUnixNano: '1700000000000000000', endTimeUnixNano: '1600000000000000000' }
  await post('traces', only([rest[3]!]))
  await post('traces', only([rest[0]!, early]))
  await post('traces', only([first!, { ...first!, spanId: 'zz' }]))
  const { spans, summary } = await client.getProfile({ params: { id: TRACE } })
  expect(spans.map(({ id, parentId }) => [id.at(-1), parentId?.at(-1) ?? null])).toEqual([
    ['1', null],
    ['3', '1'],
    ['5', '3'],
    ['2', '1'],
  ])
  expect(summary.unmeasured).toBe(1)
})

test('what must not be taken is refused with the status that tells the sender what to do', async () => {
  const { post, status, token } = await listening()
  const big = Buffer.alloc(100 * 1024 * 1024)
  const answers = [
    await post('traces', '{'),
    await post('traces', Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x7f]), { 'content-type': 'application/x-protobuf' }),
    await post('traces', 'x', { 'content-encoding': 'gzip' }),
    await post('traces', '['.repeat(10_000)),
    await post('traces', gzipSync(big), { 'content-encoding': 'gzip' }),
    await post('traces', '', { 'content-type': 'text/plain' }),
    await post('traces', '{}', { 'x-bashgym-token': 'wrong' }),
    await post('traces', '{}', { origin: 'http://127.0.0.1' }),
    await post('other', '{}'),
    await post('traces', '{}', { 'x-bashgym-token': '', authorization: `Bearer ${token}` }),
  ]
  expect(answers.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 413, 415, 401, 403, 404, 401])
  await expect(
    post('traces', big).then(
      ({ status: code }) => code,
      () => 413,
    ),
  ).resolves.toBe(413) // the sender may see a closed connection first
  expect(await post('traces', '{}').then(({ status: code }) => code)).toBe(200)
  expect((await status()).refused).toBe(11)
})

/** A collector that answers as it is told, and keeps what it was sent. */
async function collector(answers: readonly (number | 'hang')[] = []) {
  const rest = [...answers]
  const got: Received[] = []
  const headers: http.IncomingHttpHeaders[] = []
  const server = http.createServer(async (request, response) => {
    const bytes = await buffer(request)
    headers.push(request.headers)
    const status = rest.shift() ?? 200
    if (status === 'hang') return
    if (status === 200) got.push(decode({ signal: 'traces', bytes, isJson: false, isGzip: false, limit: 1e8 }))
    response.writeHead(status, status === 429 ? { 'retry-after': '0' } : {}).end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closing.push(async () => (server.closeAllConnections(), server.close()))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, got, headers }
}

const sent = (id: string, label: string | null = null) => ({
  traceId: id,
  id: '00000000000000aa',
  kind: 'tool' as const,
  name: 'Bash',
  label,
  startedAt: '2026-10-01T12:00:00.000Z',
  durationMs: 12.5,
})

test('of sessions that are not captured figures are kept, and no text', async () => {
  const { post, client, app } = await listening()
  await client.patchSettings({ body: { capture: { excludedProjects: ['/home/dev/secret'] } } })
  expect(await (await post('traces', JSON.stringify(telemetry()))).json()).toEqual({})
  const rows = app.core.db
    .prepare<[], { label: string | null; error: string | null; input: number | null }>('SELECT label, error, input FROM recorded_spans')
    .all()
  expect(rows).toHaveLength(5)
  expect(rows.filter(({ label }) => label !== null)).toEqual([])
  expect(rows.flatMap(({ error }) => error ?? [])).toEqual(['failed'])
  expect(rows.flatMap(({ input }) => input ?? [])).toEqual([1000])
})

test('a trace goes to a collector when it is asked for: again after 429 and 503, cleared, and to no other place', async () => {
  const server = await startTestServer()
  closing.push(() => server.close())
  const id = 'a'.repeat(32)
  const secret = `ghp_${'Ab3'.repeat(12)}`
  await server.client.addSpans({ body: { spans: [sent(id, `curl -H token:${secret} x`)] } })
  await expect(server.client.sendTrace({ params: { id } })).rejects.toMatchObject({ code: 'telemetry_not_set_up' })
  const phoenix = await collector([429, 503])
  await server.client.patchSettings({ body: { telemetry: { out: [{ kind: 'phoenix', url: phoenix.url }] } } })
  await expect(server.client.sendTrace({ params: { id: 'b'.repeat(32) } })).rejects.toMatchObject({ code: 'trace_not_found' })
  expect(await server.client.sendTrace({ params: { id } })).toEqual({ collectors: 1 })
  await vi.waitFor(() => expect(phoenix.got).toHaveLength(1), { timeout: 20_000 })
  const [span] = phoenix.got[0]!.spans
  const attributes = Object.fromEntries(span!.attributes)
  expect(span).toMatchObject({ name: 'execute_tool Bash', durationMs: 12.5 })
  expect(attributes).toMatchObject({
    'gen_ai.operation.name': 'execute_tool',
    'openinference.span.kind': 'TOOL',
    'gen_ai.tool.name': 'Bash',
  })
  expect(JSON.stringify(attributes)).not.toContain(secret)
  await vi.waitFor(
    async () =>
      expect((await server.client.getTelemetry({})).out).toMatchObject([{ isHere: true, queued: 0, sent: 1, dropped: 0, problem: null }]),
    { timeout: 20_000 },
  )
})

test('a collector that refuses or hangs drops its own traces only, and an address that is not encrypted gets nothing', async () => {
  const server = await startTestServer()
  closing.push(() => server.close())
  const [strict, good, slow] = [await collector([400]), await collector(), await collector(['hang', 'hang'])]
  const out = [strict.url, good.url, slow.url, 'http://collector.example'].map((url) => ({ kind: 'otlp' as const, url }))
  await server.client.patchSettings({ body: { telemetry: { out } } })
  const id = 'c'.repeat(32)
  await server.client.addSpans({ body: { spans: [sent(id)] } })
  await server.client.sendTrace({ params: { id } })
  await vi.waitFor(
    async () =>
      expect((await server.client.getTelemetry({})).out).toMatchObject([
        { sent: 0, dropped: 1, problem: expect.stringContaining('answered 400') },
        { sent: 1, dropped: 0, problem: null },
        { sent: 0, dropped: 0, queued: 1 },
        { sent: 0, dropped: 1, problem: expect.stringContaining('not encrypted'), isHere: false },
      ]),
    { timeout: 20_000 },
  )
})

test('the token of our own address goes to no collector, although the same variable holds it', async () => {
  const core = openCore()
  closing.push(() => core.close())
  const other = await collector()
  const keys = { phoenix: null, langfuse: null, headers: 'X-Bashgym-Token=ours, x-team=a' }
  const bytes = encode(telemetry()) as Cleared<Uint8Array> // made here
  const line = createLine(core, { kind: 'otlp', url: other.url }, { keys, isAlone: true, bytesOf: async () => bytes })
  line.add('a'.repeat(32))
  await vi.waitFor(() => expect(line.status().sent).toBe(1))
  expect(other.headers[0]).toMatchObject({ 'x-team': 'a' })
  expect(JSON.stringify(other.headers)).not.toContain('ours')
  await line.close()
})

test('a key goes to no collector while two of its kind are set', async () => {
  const core = openCore()
  closing.push(() => core.close())
  const [first, second] = [await collector(), await collector()]
  const collectors = [first, second].map(({ url }) => ({ kind: 'otlp' as const, url }))
  const settings = { ...Settings.parse({}).telemetry, out: collectors }
  const keys = { phoenix: null, langfuse: null, headers: 'x-key=a' }
  const bytes = encode(telemetry()) as Cleared<Uint8Array> // made here
  const out = createTelemetryOut(core, { settings: () => settings, sourceOf: () => null, keys, bytesOf: async () => bytes })
  out.send('a'.repeat(32))
  await vi.waitFor(() => expect(out.status()).toMatchObject([{ dropped: 1, problem: expect.stringContaining('several') }, { dropped: 1 }]))
  settings.out = collectors.slice(1)
  out.settingsChanged()
  out.send('b'.repeat(32))
  await vi.waitFor(() => expect(out.status()).toMatchObject([{ sent: 1, problem: null }]))
  expect([first.headers, second.headers]).toMatchObject([[], [{ 'x-key': 'a' }]])
  await out.close()
})

test('a quarter of the traces is sent, always the same ones', () => {
  const ids = Array.from({ length: 400 }, (_, index) => index.toString(16).padStart(32, '0'))
  const chosen = ids.filter((id) => isSampled(id, 0.25))
  expect(chosen.length).toBeGreaterThan(66)
  expect(chosen.length).toBeLessThan(134)
  expect(ids.filter((id) => isSampled(id, 0.25))).toEqual(chosen)
  expect([ids.filter((id) => isSampled(id, 0)).length, ids.filter((id) => isSampled(id, 1)).length]).toEqual([0, 400])
})

test('calls that run side by side have their own parents, and a failure is a span, too', async () => {
  const core = openCore()
  closing.push(() => core.close())
  const usage = { input: 100, output: 5, cacheRead: 60, cacheWrite: null }
  const attempt = (name: string) =>
    recordTrace(core, { source: 'rollout', title: name }, async () => {
      await recordRequest('student', async () => ({ usage, costUsd: 0.01 }))
      await recordSpan({ kind: 'tool', name: 'bash', label: name }, () =>
        recordSpan({ kind: 'guard', name: 'rule' }, async () => Promise.reject(new Error('no'))),
      )
    })
  const ends = await Promise.allSettled([attempt('one'), attempt('two'), recordSpan({ kind: 'tool', name: 'outside' }, async () => 7)])
  expect(ends.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'fulfilled'])
  const rows = core.db
    .prepare(
      'SELECT t.title, s.kind, p.kind AS parent, s.input, s.error FROM recorded_spans s JOIN recorded_traces t ON t.id = s.trace_id LEFT JOIN recorded_spans p ON p.trace_id = s.trace_id AND p.id = s.parent_id ORDER BY t.title, s.kind',
    )
    .all()
  const expected = (title: string) => [
    { title, kind: 'agent', parent: null, input: null, error: 'failed: no' },
    { title, kind: 'guard', parent: 'tool', input: null, error: 'failed: no' },
    { title, kind: 'llm', parent: 'agent', input: 40, error: null },
    { title, kind: 'tool', parent: 'agent', input: null, error: 'failed: no' },
  ]
  expect(rows).toEqual([...expected('one'), ...expected('two')])
  expect(fs.existsSync(core.paths.telemetryToken)).toBe(false)
})
