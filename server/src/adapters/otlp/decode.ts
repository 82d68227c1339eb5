import { gunzipSync } from 'node:zlib'
import { shallowText } from '#server/listeners/json.ts'
import { readRequest, type Signal } from './messages.ts'

export type Scalar = string | number | boolean

/** A span as another program sent it. */
export interface ReceivedSpan {
  traceId: string
  spanId: string
  parentId: string | null
  name: string
  /** Milliseconds; null if they are missing. */
  startedAt: number | null
  durationMs: number | null
  attributes: Map<string, Scalar>
  /** Null: none that the status names. */
  error: string | null
}

export interface ReceivedLog {
  at: number | null
  attributes: Map<string, Scalar>
}

export interface Received {
  spans: ReceivedSpan[]
  logs: ReceivedLog[]
  metrics: number
  /** Spans without a valid id, which nothing can be stored under. */
  invalid: number
}

/** A body as it arrived. */
export interface Body {
  signal: Signal
  bytes: Uint8Array
  isJson: boolean
  isGzip: boolean
  /** Longest body after it is unpacked. */
  limit: number
}

/** The body cannot be read. */
export class Unreadable extends Error {}
/** The unpacked body is longer than the limit. */
export class TooLarge extends Error {}

/** Numbers of 64 bits are texts in JSON. */
type Wide = string | number | null | undefined
interface AnyValue {
  stringValue?: string | null
  boolValue?: boolean | null
  intValue?: Wide
  doubleValue?: number | string | null
  arrayValue?: { values?: AnyValue[] } | null
}
interface KeyValue {
  key?: string
  value?: AnyValue | null
}
type Id = string | Uint8Array | null | undefined
interface Span {
  traceId?: Id
  spanId?: Id
  parentSpanId?: Id
  name?: string
  startTimeUnixNano?: Wide
  endTimeUnixNano?: Wide
  attributes?: KeyValue[]
  status?: { code?: number | string; message?: string } | null
}
interface Scope {
  spans?: Span[]
  logRecords?: { timeUnixNano?: Wide; attributes?: KeyValue[] }[]
  metrics?: unknown[]
}
interface Resource {
  resource?: { attributes?: KeyValue[] } | null
  scopeSpans?: Scope[]
  scopeLogs?: Scope[]
  scopeMetrics?: Scope[]
}
interface Document {
  resourceSpans?: Resource[]
  resourceLogs?: Resource[]
  resourceMetrics?: Resource[]
}

/** Reads a request of OTLP over HTTP. Throws `Unreadable` or `TooLarge`. */
export function decode({ signal, bytes, isJson, isGzip, limit }: Body): Received {
  const received: Received = { spans: [], logs: [], metrics: 0, invalid: 0 }
  const plain = isGzip ? unpack(bytes, limit) : bytes
  try {
    const document = (isJson ? JSON.parse(shallowText(Buffer.from(plain))) : readRequest(signal, plain)) as Document // every field is checked where it is read
    if (typeof document !== 'object' || document === null) throw new Error('it is not an object')
    for (const { resource, scopeSpans = [] } of document.resourceSpans ?? [])
      for (const { spans = [] } of scopeSpans) for (const span of spans) addSpan(received, span, resource?.attributes ?? [])
    for (const { resource, scopeLogs = [] } of document.resourceLogs ?? [])
      for (const { logRecords = [] } of scopeLogs)
        for (const { timeUnixNano, attributes = [] } of logRecords)
          received.logs.push({ at: msOf(timeUnixNano), attributes: attributesOf([...(resource?.attributes ?? []), ...attributes]) })
    for (const { scopeMetrics = [] } of document.resourceMetrics ?? [])
      for (const { metrics = [] } of scopeMetrics) received.metrics += metrics.length
    return received
  } catch (error) {
    throw new Unreadable(error instanceof RangeError ? 'it is cut off or nested too deep' : (error as Error).message)
  }
}

function unpack(bytes: Uint8Array, limit: number): Uint8Array {
  try {
    return gunzipSync(bytes, { maxOutputLength: limit })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw new TooLarge()
    throw new Unreadable('it is not gzip')
  }
}

function addSpan(received: Received, span: Span, resource: KeyValue[]): void {
  const traceId = hexOf(span.traceId, 32)
  const spanId = hexOf(span.spanId, 16)
  if (traceId === null || spanId === null) return void (received.invalid += 1)
  const from = msOf(span.startTimeUnixNano)
  const to = msOf(span.endTimeUnixNano)
  const { code, message } = span.status ?? {}
  received.spans.push({
    traceId,
    spanId,
    parentId: hexOf(span.parentSpanId, 16),
    name: typeof span.name === 'string' ? span.name : '',
    startedAt: from,
    durationMs: from === null || to === null || to < from ? null : microseconds(to - from),
    attributes: attributesOf([...resource, ...(span.attributes ?? [])]),
    error: code === 2 || code === 'STATUS_CODE_ERROR' ? message || 'unknown' : null,
  })
}

/** Hexadecimal digits, in lower case; null if there are others, too few, or only zeros. */
function hexOf(id: Id, digits: number): string | null {
  const text = typeof id === 'string' ? id.toLowerCase() : id instanceof Uint8Array ? Buffer.from(id).toString('hex') : ''
  return text.length === digits && /^[0-9a-f]+$/.test(text) && !/^0+$/.test(text) ? text : null
}

const wide = (value: Wide): number | null =>
  typeof value === 'string' ? (/^-?\d{1,20}$/.test(value) ? Number(value) : null) : typeof value === 'number' ? value : null

/** A double has no more digits for times of today. */
const microseconds = (ms: number): number => Math.round(ms * 1000) / 1000

/** Nanoseconds as milliseconds; 0 and what is after the year 9999 is no time. */
function msOf(nanos: Wide): number | null {
  const value = wide(nanos)
  return value === null || value <= 0 || value > 253_402_300_799e9 ? null : microseconds(value / 1e6)
}

function attributesOf(pairs: readonly KeyValue[]): Map<string, Scalar> {
  const found = new Map<string, Scalar>()
  for (const { key, value } of pairs) {
    const scalar = key === undefined || value == null ? null : scalarOf(value)
    if (scalar !== null) found.set(key!, scalar)
  }
  return found
}

/** The first of a list; other structures have nothing that is read. */
function scalarOf({ stringValue, boolValue, intValue, doubleValue, arrayValue }: AnyValue): Scalar | null {
  if (typeof stringValue === 'string') return stringValue
  if (typeof boolValue === 'boolean') return boolValue
  if (intValue != null) return wide(intValue)
  if (doubleValue != null) return Number(doubleValue)
  const first = arrayValue?.values?.[0]
  return first ? scalarOf(first) : null
}
