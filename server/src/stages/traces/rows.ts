import { hash } from 'node:crypto'
import { isoOf } from '#server/instant.ts'
import type { Tier, Verification } from '#contracts/entities/common.ts'
import { isUnverified } from '#contracts/entities/score.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import type { Trace, TraceState } from '#contracts/entities/trace.ts'
import { placeBelow } from '#server/within.ts'
import type { EntryKind, EntryRow, Location, ResponseRow } from './derived.ts'

/** A row of `traces` with its tags and note, for lists and pages. Times are ms since 1970. */
export interface TraceRow {
  no: number
  id: string
  rev: number
  derived_version: string | null
  agent: Trace['agent']
  session_id: string
  title: string | null
  repo: string | null
  cwd: string | null
  git_branch: string | null
  client_version: string | null
  started_at: number | null
  ended_at: number | null
  duration_ms: number | null
  active_ms: number | null
  waiting_ms: number | null
  state: TraceState
  sample: number
  models: string
  prompts: number
  abandoned_turns: number
  tool_calls: number
  failed_tool_calls: number
  rejected_tool_calls: number
  subagents: number
  commits: number
  turns: number
  problems: number
  tokens_input: number | null
  tokens_output: number | null
  tokens_cache_read: number | null
  tokens_cache_write: number | null
  tokens: number | null
  cost_usd: number | null
  policy_tier: Tier
  tier: Tier
  tier_rank: number
  tier_source: 'policy' | 'user'
  quality: number | null
  success_rate: number | null
  verification: Verification
  tier_reason: string | null
  score_version: number | null
  longest_failure_run: number
  hooks_only: number
  index_pending: number
  index_pending_bytes: number
  tags: string
  note: string | null
  /** The agent run that the session belongs to, and the run's title. */
  task_id: string | null
  run_title: string | null
  answer_score: number | null
}

/** The select list of `TraceRow`; the table is `traces AS t`. */
export const TRACE_COLUMNS = `t.*,
  (SELECT json_group_array(tag) FROM (SELECT tag FROM tags WHERE trace_id = t.id ORDER BY tag)) AS tags,
  (SELECT note FROM notes WHERE trace_id = t.id) AS note,
  (SELECT task_id FROM trace_runs WHERE trace_id = t.id) AS task_id,
  (SELECT title FROM trace_runs WHERE trace_id = t.id) AS run_title,
  (SELECT score FROM trace_answer_scores WHERE trace_id = t.id) AS answer_score`

/** From worst to best; `pending` is below all others. */
export const TIER_RANK: Record<Tier, number> = { pending: 0, failed: 1, bronze: 2, silver: 3, gold: 4 }

export function toTrace(row: TraceRow): Trace {
  return {
    id: row.id,
    agent: row.agent,
    title: row.run_title ?? row.title,
    sessionId: row.session_id,
    repo: row.repo,
    cwd: row.cwd,
    gitBranch: row.git_branch,
    startedAt: isoOf(row.started_at),
    endedAt: isoOf(row.ended_at),
    models: JSON.parse(row.models) as string[],
    counts: {
      prompts: row.prompts,
      abandonedTurns: row.abandoned_turns,
      toolCalls: row.tool_calls,
      failedToolCalls: row.failed_tool_calls,
      rejectedToolCalls: row.rejected_tool_calls,
      subagents: row.subagents,
      commits: row.commits,
    },
    tokens: {
      input: row.tokens_input,
      output: row.tokens_output,
      cacheRead: row.tokens_cache_read,
      cacheWrite: row.tokens_cache_write,
    },
    costUsd: row.cost_usd,
    tier: row.tier,
    tierSource: row.tier_source,
    quality: row.quality,
    successRate: row.success_rate,
    verification: row.verification,
    unverified: row.tier_source === 'policy' && isUnverified(row.tier, row.verification),
    tags: JSON.parse(row.tags) as string[],
    note: row.note,
    sample: row.sample === 1,
    state: row.state,
    clientVersion: row.client_version,
    turnCount: row.turns,
    durationMs: row.duration_ms,
    activeMs: row.active_ms,
    waitingMs: row.waiting_ms,
    tierReason: row.tier_reason,
    scoreVersion: row.score_version,
    problems: row.problems,
    hooksOnly: row.hooks_only === 1,
    taskId: row.task_id,
    answerScore: row.answer_score,
  }
}

/** Columns of `entries` in the order of `entryValues`. */
export const ENTRY_COLUMNS = [
  'ord', 'kind', 'seq', 'agent', 'parent_step_id', 'at', 'ended_at', 'label', 'tool', 'tool_use_id', 'success', 'exit_code', 'is_error',
  'rejected_by', 'answered', 'file', 'edits', 'output_bytes', 'cwd', 'message_id', 'prompt_id', 'model', 'location', 'result', 'spill', 'shared',
  'asks', 'abandoned', 'by_mod',
] as const // prettier-ignore

export interface StoredEntry {
  rowid: number
  trace: number
  id: string
  rev: number
  ord: string
  kind: EntryKind
  seq: number | null
  agent: string
  parent_step_id: string | null
  at: number | null
  ended_at: number | null
  label: string | null
  tool: string | null
  tool_use_id: string | null
  success: number | null
  exit_code: number | null
  is_error: number
  rejected_by: EntryRow['rejectedBy']
  answered: number
  file: string | null
  edits: number
  output_bytes: number
  cwd: string | null
  message_id: string | null
  prompt_id: string | null
  model: string | null
  location: string
  result: string | null
  spill: string | null
  asks: EntryRow['asks']
  abandoned: number
  by_mod: number
}

const toBit = (value: boolean | null) => (value === null ? null : value ? 1 : 0)
const toFlag = (value: number | null) => (value === null ? null : value === 1)
const packLocation = (location: Location | null) =>
  location === null ? null : JSON.stringify([location.source, location.generation, location.offset, location.length, location.block])
const unpackLocation = (text: string): Location => {
  const [source, generation, offset, length, block] = JSON.parse(text) as [string, number, number, number, number]
  return { source, generation, offset, length, block }
}

/** First 64 bits of sha256 as SQLite's signed integer: 10 million keys collide with a probability of 1 in 350,000. */
export const hash64 = (key: string): bigint => hash('sha256', key, 'buffer').readBigInt64BE(0)

/** Ids inside a trace are stored without the trace id: saves a third of the largest table. */
export const localId = (traceId: string, id: string) => (id.startsWith(`${traceId}:`) ? id.slice(traceId.length) : id)
export const globalId = (traceId: string, id: string) => (id.startsWith(':') ? traceId + id : id)

/** Maximum of one body in full text search. */
const INDEXED_BYTES = 64 * 1024

/** Raw bytes that the indexer reads for an entry: an upper bound, for progress. */
const indexedBytes = (row: Pick<EntryRow, 'location' | 'outputBytes'>) =>
  Math.min(row.location.length, INDEXED_BYTES) + Math.min(row.outputBytes, INDEXED_BYTES)

/** Values of a row of `entries`: its id inside the trace, `indexedBytes` (not a column), then `ENTRY_COLUMNS`. */
export type EntryValues = [id: string, indexedBytes: number, ...columns: unknown[]]
/** A row of `responses` without its trace, in the order of `RESPONSE_COLUMNS`. */
export type ResponseValues = unknown[]

export const RESPONSE_COLUMNS = [
  'key',
  'model',
  'agent',
  'input',
  'output',
  'cache_read',
  'cache_write',
  'cache_write_1h',
  'web_searches',
  'is_fast',
  'at',
  'message',
] as const

export const responseValues = (row: ResponseRow): ResponseValues => [
  hash64(row.key),
  row.model,
  row.agent,
  row.input,
  row.output,
  row.cacheRead,
  row.cacheWrite,
  row.cacheWrite1h ?? 0,
  row.webSearches ?? 0,
  row.isFast ? 1 : 0,
  row.at ?? null,
  row.messageId == null ? null : hash64(row.messageId),
]

export const entryValues = (traceId: string, row: EntryRow): EntryValues => [
  localId(traceId, row.id),
  indexedBytes(row),
  row.ord,
  row.kind,
  row.seq,
  row.agent,
  row.parentStepId === null ? null : localId(traceId, row.parentStepId),
  row.at,
  row.endedAt,
  row.label,
  row.tool,
  row.toolUseId,
  toBit(row.success),
  row.exitCode,
  toBit(row.isError),
  row.rejectedBy,
  toBit(row.answered),
  row.file,
  toBit(row.edits),
  row.outputBytes,
  row.cwd,
  row.messageId,
  row.promptId,
  row.model,
  packLocation(row.location),
  packLocation(row.result),
  row.spill === null ? null : JSON.stringify([row.spill.source, row.spill.generation, row.spill.length]),
  hash64(row.sharedKey),
  row.asks,
  toBit(row.abandoned),
  toBit(row.byMod),
]

/** The row as made by the reader, except `sharedKey`, which is stored as a hash. */
export function toEntry(traceId: string, row: StoredEntry): EntryRow {
  const spill = row.spill === null ? null : (JSON.parse(row.spill) as [string, number, number])
  return {
    id: globalId(traceId, row.id),
    ord: row.ord,
    kind: row.kind,
    asks: row.asks,
    abandoned: row.abandoned === 1,
    byMod: row.by_mod === 1,
    seq: row.seq,
    agent: row.agent,
    parentStepId: row.parent_step_id === null ? null : globalId(traceId, row.parent_step_id),
    at: row.at,
    endedAt: row.ended_at,
    label: row.label,
    tool: row.tool,
    toolUseId: row.tool_use_id,
    success: toFlag(row.success),
    exitCode: row.exit_code,
    isError: row.is_error === 1,
    rejectedBy: row.rejected_by,
    answered: row.answered === 1,
    file: row.file,
    edits: row.edits === 1,
    outputBytes: row.output_bytes,
    cwd: row.cwd,
    messageId: row.message_id,
    promptId: row.prompt_id,
    model: row.model,
    location: unpackLocation(row.location),
    result: row.result === null ? null : unpackLocation(row.result),
    spill: spill && { source: spill[0], generation: spill[1], length: spill[2] },
    sharedKey: '',
  }
}

export const toTimelineRow = (traceId: string, row: StoredEntry): TimelineRow => ({
  id: globalId(traceId, row.id),
  position: row.ord,
  kind: row.kind === 'call' ? 'step' : row.kind,
  agent: row.agent,
  tool: row.tool,
  at: isoOf(row.at),
  durationMs: row.at !== null && row.ended_at !== null ? row.ended_at - row.at : null,
  success: toFlag(row.success),
  label: row.label,
  ...(row.edits === 1 && { edits: true }),
  abandoned: row.abandoned === 1,
})

/** The folder of a session in the archive. */
export const traceDirOf = (archive: string, agent: string, traceId: string) => placeBelow(archive, agent, traceId)
