import { hash } from 'node:crypto'
import type { Profile } from '#contracts/entities/profile.ts'
import type { TraceDocument } from '#server/adapters/otlp/index.ts'
import { attributesOf, nameOf } from '../names.ts'

type Value = { stringValue: string } | { intValue: string } | { doubleValue: number } | { boolValue: boolean }

const INTERNAL = 1
const CLIENT = 3
const ERROR = 2

/**
 * An ExportTraceServiceRequest in OTLP's JSON encoding (https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding). Spans without a
 * time cannot be sent; their number is in the resource. A span without a duration ends when it starts and says so.
 */
export function otlpOf(profile: Profile, version: string): TraceDocument {
  const traceId = idOf(profile.id, 32)
  const spanId = (id: string) => idOf(`${profile.id}\0${id}`, 16)
  const timed = profile.spans.filter(({ startedAt }) => startedAt !== null)
  const known = new Set(timed.map(({ id }) => id))
  const spans = timed.map((span) => {
    const from = BigInt(Date.parse(span.startedAt!)) * 1_000_000n
    const to = from + BigInt(Math.round((span.durationMs ?? 0) * 1e6))
    return {
      traceId,
      spanId: spanId(span.id),
      ...(span.parentId !== null && known.has(span.parentId) && { parentSpanId: spanId(span.parentId) }),
      name: nameOf(span),
      kind: span.kind === 'llm' ? CLIENT : INTERNAL,
      startTimeUnixNano: String(from),
      endTimeUnixNano: String(to),
      attributes: attributes(attributesOf(span, profile)),
      status: span.error === undefined ? {} : { code: ERROR, message: span.error },
    }
  })
  const resource = attributes({
    'service.name': 'bashgym',
    'service.version': version,
    'openinference.project.name': 'bashgym',
    'bashgym.agent': profile.agent,
    'bashgym.source': profile.source,
    'bashgym.spans_without_time': profile.spans.length - timed.length,
  })
  return { resourceSpans: [{ resource: { attributes: resource }, scopeSpans: [{ scope: { name: 'bashgym', version }, spans }] }] }
}

/** Ids depend only on the session, so that sending it again makes no second copy. */
const idOf = (text: string, digits: number): string => hash('sha256', text).slice(0, digits)

const attributes = (values: ReturnType<typeof attributesOf>): { key: string; value: Value }[] =>
  Object.entries(values).flatMap(([key, value]) => (value === null ? [] : [{ key, value: valueOf(value, key) }]))

function valueOf(value: string | number | boolean, key: string): Value {
  if (typeof value === 'string') return { stringValue: value }
  if (typeof value === 'boolean') return { boolValue: value }
  return key.endsWith('_usd') || key.startsWith('llm.cost') ? { doubleValue: value } : { intValue: String(value) }
}
