import { type Body, decode, type ReceivedSpan, TooLarge, Unreadable } from '#server/adapters/otlp/index.ts'
import type { RecordedSpan, ReportedRequest, TraceFacts } from '#server/spans/index.ts'
import { traceId } from '#server/stages/capture/index.ts'
import { isClaudeCode, recordedOf, requestOf, sessionIn } from '../names.ts'

/** What came, as it is stored. `facts` has an entry for each trace. */
export interface Taken {
  spans: RecordedSpan[]
  facts: Map<string, TraceFacts>
  requests: ReportedRequest[]
  ignored: number
  invalid: number
}
export type ReceiveResult = Taken | { fault: 'unreadable' | 'too_large'; message: string }

/** Most spans of a body are of one session. */
function newSessions(): (client: string) => string {
  const known = new Map<string, string>()
  return (client) => {
    const id = known.get(client) ?? traceId('claude-code', client)
    known.set(client, id)
    return id
  }
}

/** Reads a body of telemetry. Errors are values, because their class is lost between threads. */
export default function receive(body: Body): ReceiveResult {
  try {
    const { spans, logs, metrics, invalid } = decode(body)
    const sessionOf = newSessions()
    const facts = new Map<string, TraceFacts>()
    for (const span of spans) {
      const known = facts.get(span.traceId) ?? { source: 'telemetry', title: null, session: null }
      const client = isClaudeCode(span.attributes) ? sessionIn(span.attributes) : null
      facts.set(span.traceId, {
        ...known,
        title: known.title ?? promptOf(span),
        session: known.session ?? (client === null ? null : sessionOf(client)),
      })
    }
    const inLogs = logs.flatMap((one) => requestOf(one, sessionOf) ?? [])
    const requests = [...spans.flatMap((one) => requestOf(one, sessionOf) ?? []), ...inLogs]
    return { spans: spans.map(recordedOf), facts, requests, ignored: logs.length - inLogs.length + metrics, invalid }
  } catch (error) {
    if (error instanceof TooLarge) return { fault: 'too_large', message: '' }
    if (error instanceof Unreadable) return { fault: 'unreadable', message: error.message }
    throw error
  }
}

/** The first line of the prompt, if the user lets the client send it. */
function promptOf({ attributes }: ReceivedSpan): string | null {
  const prompt = attributes.get('user_prompt')
  return typeof prompt === 'string' && prompt !== '<REDACTED>' ? (prompt.split('\n', 1)[0] ?? null) : null
}
