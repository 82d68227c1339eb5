import { writeRequest } from './messages.ts'

/** An ExportTraceServiceRequest in OTLP's JSON encoding. */
export interface TraceDocument {
  resourceSpans: {
    resource: { attributes: object[] }
    scopeSpans: { scope: object; spans: ({ traceId: string; spanId: string; parentSpanId?: string } & Record<string, unknown>)[] }[]
  }[]
}

/** The document as protobuf. */
export function encode({ resourceSpans }: TraceDocument): Uint8Array {
  const bytesOf = (hex: string) => Buffer.from(hex, 'hex')
  const document = {
    resourceSpans: resourceSpans.map(({ resource, scopeSpans }) => ({
      resource,
      scopeSpans: scopeSpans.map(({ scope, spans }) => ({
        scope,
        spans: spans.map(({ traceId, spanId, parentSpanId, ...span }) => ({
          ...span,
          traceId: bytesOf(traceId),
          spanId: bytesOf(spanId),
          ...(parentSpanId !== undefined && { parentSpanId: bytesOf(parentSpanId) }),
        })),
      })),
    })),
  }
  return writeRequest('traces', document)
}
