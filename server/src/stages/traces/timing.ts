import type { Subagent, Trace } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import type { Usage } from '#server/prices/prices.ts'
import type { EntryRow } from './derived.ts'
import { globalId, hash64, toTrace, TRACE_COLUMNS } from './rows.ts'
import type { TraceRow } from './rows.ts'

/** When an entry was, and what it is, without its bodies. */
export type TimingEntry = Pick<
  EntryRow,
  | 'id'
  | 'kind'
  | 'agent'
  | 'at'
  | 'endedAt'
  | 'label'
  | 'tool'
  | 'success'
  | 'exitCode'
  | 'rejectedBy'
  | 'answered'
  | 'model'
  | 'byMod'
  | 'asks'
> & { parentStepId: string | null; messageId: string | null }

/** A response of the API, with the id that its entries have; null if nothing tells which they are. */
export interface TimingResponse extends Usage {
  /** As `SessionTiming.keyOf`. */
  key: bigint
  message: bigint | null
  model: string | null
  agent: string
}

export interface SessionTiming {
  trace: Trace
  subagents: Subagent[]
  entries: TimingEntry[]
  responses: TimingResponse[]
  /** As `TimingResponse.message`, of an entry. */
  messageOf: (messageId: string) => bigint
  /** As `TimingResponse.key`, of the ids that the API gave a message and its request. */
  keyOf: (messageId: string, requestId: string) => bigint
}

interface Row {
  id: string
  kind: EntryRow['kind']
  agent: string
  parent: string | null
  at: number | null
  ended: number | null
  label: string | null
  tool: string | null
  success: number | null
  exit: number | null
  rejected: EntryRow['rejectedBy']
  answered: number
  message: string | null
  model: string | null
  mod: number
  asks: EntryRow['asks']
}

/** The entries of a session in order, and its responses. Null if there is no such trace. */
export function readTiming(db: Database, traceId: string): SessionTiming | null {
  const row = db.prepare<[string], TraceRow>(`SELECT ${TRACE_COLUMNS} FROM traces AS t WHERE t.id = ?`).get(traceId)
  if (!row) return null
  const entries = db
    .prepare<[number, number], Row>(
      `SELECT id, kind, agent, parent_step_id AS parent, at, ended_at AS ended, label, tool, success, exit_code AS exit, rejected_by AS rejected,
        answered, message_id AS message, model, by_mod AS mod, asks FROM entries WHERE trace = ? AND rev <= ? ORDER BY ord`,
    )
    .all(row.no, row.rev)
    .map(({ id, parent, ended, success, exit, rejected, answered, message, mod, ...rest }): TimingEntry => ({
      ...rest,
      id: globalId(traceId, id),
      parentStepId: parent === null ? null : globalId(traceId, parent),
      endedAt: ended,
      success: success === null ? null : success === 1,
      exitCode: exit,
      rejectedBy: rejected,
      answered: answered === 1,
      messageId: message,
      byMod: mod === 1,
    }))
  const responses = db
    .prepare(
      `SELECT key, message, model, agent, input, output, cache_read, cache_write, cache_write_1h, web_searches, is_fast FROM responses
       WHERE trace = ? ORDER BY key`,
    )
    .safeIntegers(true)
    .all(row.no)
    .map((stored) => toResponse(stored as StoredResponse)) // by the columns above
  const details = db.prepare<[number], { subagents: string }>('SELECT subagents FROM trace_details WHERE trace = ?').get(row.no)
  return {
    trace: toTrace(row),
    subagents: JSON.parse(details?.subagents ?? '[]') as Subagent[],
    entries,
    responses,
    messageOf: hash64,
    keyOf: (messageId, requestId) => hash64(`${messageId}\0${requestId}`),
  }
}

interface StoredResponse {
  key: bigint
  message: bigint | null
  model: string | null
  agent: string
  input: bigint | null
  output: bigint | null
  cache_read: bigint | null
  cache_write: bigint | null
  cache_write_1h: bigint
  web_searches: bigint
  is_fast: bigint
}

const toNumber = (value: bigint | null): number | null => (value === null ? null : Number(value))

const toResponse = (row: StoredResponse): TimingResponse => ({
  key: row.key,
  message: row.message,
  model: row.model,
  agent: row.agent,
  input: toNumber(row.input),
  output: toNumber(row.output),
  cacheRead: toNumber(row.cache_read),
  cacheWrite: toNumber(row.cache_write),
  cacheWrite1h: Number(row.cache_write_1h),
  webSearches: Number(row.web_searches),
  isFast: row.is_fast === 1n,
})
