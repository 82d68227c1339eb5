/**
 * The parts of OTLP that are read and written, by field number:
 * https://github.com/open-telemetry/opentelemetry-proto (v1). Unknown fields are skipped.
 */
import { PbfReader, PbfWriter } from 'pbf'

/** How scalars are on the wire; messages are like bytes. */
const WIRE = new Map([
  ['int', 0],
  ['bool', 0],
  ['fixed64', 1],
  ['double', 1],
])
const BYTES = 2
/** Name, type (a scalar or a message), and whether there may be several. */
type Field = readonly [name: string, type: string, isList?: 'list']
type MessageName = string

const ANY: Record<number, Field> = {
  1: ['stringValue', 'string'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'int'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', 'ArrayValue'],
}
/** The three signals have the same frame. */
const frame = (signal: string, records: string, record: MessageName): [string, Record<number, Field>][] => [
  [`Export${signal}`, { 1: [`resource${signal}`, `Resource${signal}`, 'list'] }],
  [`Resource${signal}`, { 1: ['resource', 'Resource'], 2: [`scope${signal}`, `Scope${signal}`, 'list'] }],
  [`Scope${signal}`, { 1: ['scope', 'Scope'], 2: [records, record, 'list'] }],
]
const MESSAGES = new Map<MessageName, Record<number, Field>>([
  ['AnyValue', ANY],
  ['ArrayValue', { 1: ['values', 'AnyValue', 'list'] }],
  ['KeyValue', { 1: ['key', 'string'], 2: ['value', 'AnyValue'] }],
  ['Resource', { 1: ['attributes', 'KeyValue', 'list'] }],
  ['Scope', { 1: ['name', 'string'], 2: ['version', 'string'] }],
  ...frame('Spans', 'spans', 'Span'),
  ...frame('Logs', 'logRecords', 'LogRecord'),
  ...frame('Metrics', 'metrics', 'Metric'),
  [
    'Span',
    {
      1: ['traceId', 'bytes'],
      2: ['spanId', 'bytes'],
      4: ['parentSpanId', 'bytes'],
      5: ['name', 'string'],
      6: ['kind', 'int'],
      7: ['startTimeUnixNano', 'fixed64'],
      8: ['endTimeUnixNano', 'fixed64'],
      9: ['attributes', 'KeyValue', 'list'],
      15: ['status', 'Status'],
    },
  ],
  ['Status', { 2: ['message', 'string'], 3: ['code', 'int'] }],
  ['LogRecord', { 1: ['timeUnixNano', 'fixed64'], 6: ['attributes', 'KeyValue', 'list'] }],
  ['Metric', { 1: ['name', 'string'] }],
])

export const SIGNALS = ['traces', 'logs', 'metrics'] as const
export type Signal = (typeof SIGNALS)[number]
const REQUESTS: Record<Signal, MessageName> = { traces: 'ExportSpans', logs: 'ExportLogs', metrics: 'ExportMetrics' }

type Values = Record<string, unknown>

/** Reads a request to `/v1/<signal>`. Throws if a message ends after the bytes do, or inside a field. */
export function readRequest(signal: Signal, bytes: Uint8Array): Values {
  const pbf = new PbfReader(bytes)
  return readMessage(pbf, REQUESTS[signal], pbf.length)
}

type ReadField = (tag: number, found: Values, pbf: PbfReader) => void
/** One function a message, made once: most of the time of reading is that of its objects. */
const READERS = new Map(
  [...MESSAGES].map(([name, fields]): [MessageName, ReadField] => [
    name,
    (tag, found, pbf) => {
      const field = fields[tag]
      if (!field) return
      const [key, type, isList] = field
      if (pbf.type !== (WIRE.get(type) ?? BYTES)) return // another type than ours is skipped
      const value = valueOf(pbf, type)
      if (isList) ((found[key] ??= []) as unknown[]).push(value)
      else found[key] = value
    },
  ]),
)

function readMessage(pbf: PbfReader, name: MessageName, end: number): Values {
  if (end > pbf.length) throw new Error('a message is longer than the body')
  const values = pbf.readFields(READERS.get(name)!, {}, end) // every name above has an entry
  if (pbf.pos !== end) throw new Error('a field is longer than its message')
  return values
}

function valueOf(pbf: PbfReader, type: string): unknown {
  if (type === 'string') return pbf.readString()
  if (type === 'bytes') return pbf.readBytes()
  if (type === 'int') return pbf.readVarint(true)
  if (type === 'bool') return pbf.readBoolean()
  if (type === 'fixed64') return pbf.readFixed64()
  if (type === 'double') return pbf.readDouble()
  const length = pbf.readVarint()
  return readMessage(pbf, type, pbf.pos + length)
}

/** The request as protobuf. What is missing or null is not written. */
export function writeRequest(signal: Signal, values: object): Uint8Array {
  const pbf = new PbfWriter()
  writeMessage(REQUESTS[signal], values as Values, pbf)
  return pbf.finish()
}

function writeMessage(name: MessageName, values: Values, pbf: PbfWriter): void {
  for (const [tag, [key, type, isList]] of Object.entries(MESSAGES.get(name)!)) {
    const value = values[key]
    for (const one of isList ? ((value ?? []) as unknown[]) : value == null ? [] : [value]) writeField(Number(tag), type, one, pbf)
  }
}

/** Numbers of 64 bits are texts in the JSON encoding, which this takes. */
function writeField(tag: number, type: string, value: unknown, pbf: PbfWriter): void {
  if (type === 'string') pbf.writeStringField(tag, value as string)
  else if (type === 'bytes') pbf.writeBytesField(tag, value as Uint8Array)
  else if (type === 'int') pbf.writeVarintField(tag, Number(value))
  else if (type === 'bool') pbf.writeBooleanField(tag, value as boolean)
  else if (type === 'fixed64') pbf.writeFixed64Field(tag, Number(value))
  else if (type === 'double') pbf.writeDoubleField(tag, value as number)
  else pbf.writeMessage(tag, (one: Values, to: PbfWriter) => writeMessage(type, one, to), value as Values)
}
