import { parseArgs } from 'node:util'
import { encode } from '#server/adapters/otlp/index.ts'
import { createSpanStore } from '#server/spans/index.ts'
import { createTelemetryIn } from '#server/stages/observability/telemetry/in.ts'
import { openCore } from '#server/testing/core.ts'
import { report } from './support/report.ts'

/**
 * Spans of Claude Code that come in over HTTP as protobuf and are stored, in a second (goal: 20,000). Each has the attributes of a real one.
 *
 *     npm run bench -- telemetry [--spans N]
 */
const { values } = parseArgs({ options: { spans: { type: 'string', default: '60000' } }, allowPositionals: true })
const SPANS = Number(values.spans)
/** As many as exporters send at once by default. */
const AT_ONCE = 512
const PER_TRACE = 64
const GOAL = 20_000
const TOKEN = 'token'.repeat(10)

const text = (key: string, stringValue: string) => ({ key, value: { stringValue } })
const count = (key: string, intValue: number) => ({ key, value: { intValue: String(intValue) } })
const hex = (number: number, digits: number) => (number + 1).toString(16).padStart(digits, '0')
const attributes = (index: number) => [
  ...Array.from({ length: 15 }, (_, one) => text(`some.attribute_${one}`, `a value of usual length ${one}`)),
  text('session.id', '11111111-2222-3333-4444-555555555555'),
  text('span.type', 'llm_request'),
  text('model', 'claude-opus-5-5'),
  text('request_id', `req_${index}`),
  count('input_tokens', 1000 + index),
  count('output_tokens', 20),
  count('cache_read_tokens', 5000),
  count('cache_creation_tokens', 200),
  count('duration_ms', 53),
]
const bodies: Uint8Array[] = []
for (let from = 0; from < SPANS; from += AT_ONCE) {
  const spans = Array.from({ length: Math.min(AT_ONCE, SPANS - from) }, (_, one) => ({
    traceId: hex(Math.floor((from + one) / PER_TRACE), 32),
    spanId: hex(from + one, 16),
    parentSpanId: hex(0, 16),
    name: 'claude_code.llm_request',
    kind: 1,
    startTimeUnixNano: `${1_795_956_941_000 + from + one}000000`,
    endTimeUnixNano: `${1_795_956_941_053 + from + one}000000`,
    attributes: attributes(from + one),
    status: { code: 0 },
  }))
  bodies.push(
    encode({
      resourceSpans: [{ resource: { attributes: [text('service.name', 'claude-code')] }, scopeSpans: [{ scope: { name: 'x' }, spans }] }],
    }),
  )
}

const core = openCore()
const store = createSpanStore(core)
const settings = { in: true, inPort: 45_317, out: [], sampleRate: 1 }
const telemetry = createTelemetryIn(core, { settings: () => settings, store, token: () => TOKEN, isCaptured: () => true })
await telemetry.start()
const { address } = await telemetry.status()
const post = (body: Uint8Array) =>
  fetch(`${address}/v1/traces`, { method: 'POST', body, headers: { 'content-type': 'application/x-protobuf', 'x-bashgym-token': TOKEN } })
await post(bodies[0]!) // starts the thread
const began = performance.now()
const cpu = process.cpuUsage()
const rest = bodies.slice(1)
/** As several sessions send at a time. */
const sender = async () => {
  for (let body = rest.pop(); body; body = rest.pop()) {
    const answer = await post(body)
    if (!answer.ok) throw new Error(`answered ${answer.status}`)
  }
}
await Promise.all([sender(), sender(), sender(), sender()])
const seconds = (performance.now() - began) / 1000
const used = process.cpuUsage(cpu)
const processor = (used.user + used.system) / 1e6
const { spans } = await telemetry.status()
const rate = (spans - AT_ONCE) / seconds
const figure = (number: number) => `${Math.round(number).toLocaleString('en')} spans/s`
const perProcessor = (spans - AT_ONCE) / processor
report(
  'telemetry',
  [
    { what: 'telemetry in', figure: figure(rate), limit: figure(GOAL), met: rate >= GOAL },
    { what: 'by processor time, sender included', figure: figure(perProcessor), limit: figure(GOAL), met: perProcessor >= GOAL },
  ],
  { spans, seconds, processor },
)
await telemetry.stop()
await core.close()
