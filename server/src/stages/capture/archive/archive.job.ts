import type { JobContext } from '#server/workers/thread.ts'
import { type AppendResult, type AppendTrace, appendTraces } from './append.ts'

/** Hash states of traces that this thread appended to lately. */
const memory = new Map<string, unknown>()

/** Archives what is new in the files of some traces; progress is the raw bytes read since the last report. */
export default (input: { traces: AppendTrace[] }, { signal, progress }: JobContext): Promise<AppendResult[]> =>
  appendTraces(input.traces, { signal, memory, onBytes: progress })
