export { recordRequest, recordSpan, recordTrace } from './recorder.ts'
export { createSpanStore, readRecorded, readReported } from './store.ts'
export type { RecordedSpan, RecordedTrace, ReportedRequest, SpanStore, TraceFacts } from './store.ts'
