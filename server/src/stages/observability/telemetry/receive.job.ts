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

const sessionOf = (client: string): string => traceId('claude-code', client)

/** Reads a body of telemetry. Errors are values, because their class is lost between threads. */
export default function receive(body: Body): ReceiveResult {
  try {
    const { spans, logs, metrics, invalid } = decode(body)
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
    const requests = [...spans, ...logs].flatMap((one) => requestOf(one, sessionOf) ?? [])
    const ofLogs = logs.filter((log) => requestOf(log, sessionOf) !== null).length
    return { spans: spans.map(recordedOf), facts, requests, ignored: logs.length - ofLogs + metrics, invalid }
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
