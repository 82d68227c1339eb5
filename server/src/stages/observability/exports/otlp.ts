import { hash } from 'node:crypto'
import type { Profile, Span } from '#contracts/entities/profile.ts'

type Value = { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean }
interface Attribute {
  key: string
  value: Value
}

const INTERNAL = 1
const CLIENT = 3
const ERROR = 2

/**
 * An ExportTraceServiceRequest in OTLP's JSON encoding (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding), with the names
 * of the GenAI conventions. Spans without a time cannot be sent; their number is in the resource. A span without a duration
 * ends when it starts and says so.
 */
export function otlpOf(profile: Profile, version: string): object {
  const traceId = idOf(profile.id, 32)
  const spanId = (id: string) => idOf(`${profile.id}\0${id}`, 16)
  const timed = profile.spans.filter(({ startedAt }) => startedAt !== null)
  const known = new Set(timed.map(({ id }) => id))
  const spans = timed.map((span) => {
    const from = BigInt(Date.parse(span.startedAt!)) * 1_000_000n
    const to = from + BigInt(Math.round(span.durationMs ?? 0)) * 1_000_000n
    return {
      traceId,
      spanId: spanId(span.id),
      ...(span.parentId !== null && known.has(span.parentId) && { parentSpanId: spanId(span.parentId) }),
      name: nameOf(span),
      kind: span.kind === 'llm' ? CLIENT : INTERNAL,
      startTimeUnixNano: String(from),
      endTimeUnixNano: String(to),
      attributes: attributesOf(span, profile.id),
      status: span.error === undefined ? {} : { code: ERROR, message: span.error },
    }
  })
  const resource = attributes({
    'service.name': 'bashgym',
    'service.version': version,
    'bashgym.agent': profile.agent,
    'bashgym.spans_without_time': profile.spans.length - timed.length,
  })
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope: { name: 'bashgym', version }, spans }] }] }
}

/** Ids depend only on the session, so that sending it again makes no second copy. */
const idOf = (text: string, digits: number): string => hash('sha256', text).slice(0, digits)

const OPERATIONS = { agent: 'invoke_agent', llm: 'chat', tool: 'execute_tool' } as const

function nameOf({ kind, name }: Span): string {
  return kind in OPERATIONS ? `${OPERATIONS[kind as keyof typeof OPERATIONS]} ${name}` : name
}

function attributesOf(span: Span, session: string): Attribute[] {
  const { kind, name, tokens } = span
  const operation = kind in OPERATIONS ? OPERATIONS[kind as keyof typeof OPERATIONS] : null
  return attributes({
    'gen_ai.operation.name': operation,
    'gen_ai.conversation.id': session,
    'gen_ai.agent.name': kind === 'agent' ? name : null,
    'gen_ai.request.model': kind === 'llm' ? name : null,
    'gen_ai.response.model': kind === 'llm' ? name : null,
    'gen_ai.provider.name': kind === 'llm' && name.startsWith('claude-') ? 'anthropic' : null,
    'gen_ai.tool.name': kind === 'tool' ? name : null,
    'gen_ai.usage.input_tokens': tokens ? promptTokens(tokens) : null,
    'gen_ai.usage.output_tokens': tokens?.output ?? null,
    'gen_ai.usage.cache_read.input_tokens': tokens?.cacheRead ?? null,
    'gen_ai.usage.cache_creation.input_tokens': tokens?.cacheWrite ?? null,
    'bashgym.kind': kind,
    'bashgym.label': span.label,
    'bashgym.cost_usd': span.costUsd,
    'bashgym.not_measured': span.durationMs === null ? true : null,
    'error.type': span.error ?? null,
  })
}

/** The conventions count cached tokens as input. */
const promptTokens = ({ input, cacheRead, cacheWrite }: NonNullable<Span['tokens']>): number | null =>
  input === null ? null : input + (cacheRead ?? 0) + (cacheWrite ?? 0)

const attributes = (values: Record<string, string | number | boolean | null>): Attribute[] =>
  Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [{ key, value: valueOf(value, key) }]))

function valueOf(value: string | number | boolean, key: string): Value {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return key.endsWith('_usd') ? { doubleValue: value } : { intValue: String(value) }
}
