import { AppError } from '#contracts/errors.ts'
import type { TimelineRow } from '#contracts/entities/step.ts'
import type { Trace, TraceProblem } from '#contracts/entities/trace.ts'
import type { Database } from '#server/db/open.ts'
import type { DerivedTrace, EntryFacts, EntryRow } from './derived.ts'
import { ENTRY_COLUMNS, localId, RESPONSE_COLUMNS, toEntry, toTimelineRow, toTrace, TRACE_COLUMNS } from './rows.ts'
import type { EntryValues, ResponseValues, StoredEntry, TraceRow } from './rows.ts'
import { factsOf } from './slices.ts'

/** Columns set by `writeTrace`: everything derived from the session, but not its score or tier. */
export interface TraceFacts {
  derived: DerivedTrace
  version: string
  sample: boolean
  costUsd: number | null
  longestFailureRun: number
  exits: Map<number, number>
  pending: { entries: number; bytes: number }
}

export interface TraceDetails {
  turn_list: string
  subagents: string
  files: string
  problems: string
  tools: string
  tokens_by_model: string
  first_prompt: string | null
}

const FACT_COLUMNS = [
  'rev', 'derived_version', 'agent', 'session_id', 'title', 'repo', 'cwd', 'git_branch', 'client_version', 'started_at',
  'ended_at', 'duration_ms', 'active_ms', 'state', 'sample', 'models', 'prompts', 'abandoned_turns', 'tool_calls', 'failed_tool_calls', 'rejected_tool_calls',
  'subagents', 'commits', 'turns', 'problems', 'tokens_input', 'tokens_output', 'tokens_cache_read', 'tokens_cache_write', 'tokens', 'cost_usd',
  'longest_failure_run', 'hooks_only', 'entrypoint', 'waiting_ms',
] as const // prettier-ignore

/** Rows per statement: most of the cost of an SQLite call does not depend on their number. */
const ROWS_PER_STATEMENT = 50

/** Entries read before a page of steps: a response has few blocks before its first call. */
const LOOK_BACK = 20

/** Prepared statements over the derived tables of this stage. Every function is synchronous and runs in the caller's transaction. */
export type TraceStore = ReturnType<typeof createTraceStore>

export function createTraceStore(db: Database) {
  const placeholders = (count: number) => Array.from({ length: count }, () => '?').join(', ')
  const rowPlaceholders = (rows: number, columns: number) => Array.from({ length: rows }, () => `(${placeholders(columns)})`).join(', ')
  const entryList = ENTRY_COLUMNS.join(', ')
  const excluded = ENTRY_COLUMNS.map((column) => `excluded.${column}`).join(', ')

  const byId = db.prepare<[string], TraceRow>(`SELECT ${TRACE_COLUMNS} FROM traces AS t WHERE t.id = ?`)
  const head = db.prepare<[string], { no: number; rev: number; derived_version: string | null }>(
    'SELECT no, rev, derived_version FROM traces WHERE id = ?',
  )
  const sequence = db.prepare<[], { seq: number }>("SELECT seq FROM sqlite_sequence WHERE name = 'traces'")
  const nextWithEntries = db.prepare<[number], { no: number | null }>('SELECT min(trace) AS no FROM entries WHERE trace > ?')
  const exists = db.prepare<[number], { no: number }>('SELECT no FROM traces WHERE no = ?')
  let lastNo = Math.max(
    sequence.get()?.seq ?? 0,
    db.prepare<[], { no: number | null }>('SELECT max(trace) AS no FROM entries').get()!.no ?? 0,
  )
  const insertTrace = db.prepare(
    `INSERT INTO traces (no, id, ${FACT_COLUMNS.join(', ')}, policy_tier, tier, tier_rank, tier_source, verification, index_pending, index_pending_bytes)
     VALUES (?, ?, ${placeholders(FACT_COLUMNS.length)}, 'pending', 'pending', 0, 'policy', 'none', ?, ?)`,
  )
  const updateTrace = db.prepare(
    `UPDATE traces SET ${FACT_COLUMNS.map((column) => `${column} = ?`).join(', ')},
       index_pending = index_pending + ?, index_pending_bytes = index_pending_bytes + ? WHERE no = ?`,
  )
  const putDetails = db.prepare(
    `INSERT INTO trace_details (trace, turn_list, subagents, files, problems, tools, tokens_by_model, first_prompt, commits) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
     ON CONFLICT (trace) DO UPDATE SET turn_list = excluded.turn_list, subagents = excluded.subagents, files = excluded.files,
       problems = excluded.problems, tools = excluded.tools, tokens_by_model = excluded.tokens_by_model, first_prompt = excluded.first_prompt, commits = excluded.commits`,
  )
  const getDetails = db.prepare<[number], TraceDetails>('SELECT * FROM trace_details WHERE trace = ?')
  const setProblems = db.prepare<[string, number]>('UPDATE trace_details SET problems = ? WHERE trace = ?')
  const addProblems = db.prepare<[number, number]>('UPDATE traces SET problems = problems + ? WHERE no = ?')
  const dropFacets = db.prepare<[number]>('DELETE FROM trace_facets WHERE trace = ?')
  const putFacet = db.prepare<[string, string, number, number]>(
    'INSERT OR REPLACE INTO trace_facets (kind, value, trace, n) VALUES (?, ?, ?, ?)',
  )
  // Unchanged rows are not rewritten: the comparison skips the update, and `changes` stays 0.
  const putEntries = (rows: number) =>
    `INSERT INTO entries (trace, id, rev, ${entryList}) VALUES ${rowPlaceholders(rows, 3 + ENTRY_COLUMNS.length)}`
  const putEntry = db.prepare(
    `${putEntries(1)}
     ON CONFLICT (trace, id) DO UPDATE SET rev = excluded.rev, (${entryList}) = (${excluded})
     WHERE (${entryList}) IS NOT (${excluded}) OR entries.rev > ?`,
  )
  // A duplicate id in a session is one row: the later one wins.
  const replacing = `ON CONFLICT (trace, id) DO UPDATE SET rev = excluded.rev, (${entryList}) = (${excluded})`
  const insertOne = db.prepare(`${putEntries(1)} ${replacing}`)
  const insertMany = db.prepare(`${putEntries(ROWS_PER_STATEMENT)} ${replacing}`)
  const compareEntry = db.prepare<unknown[], { same: number }>(
    `SELECT (${entryList}) IS (${placeholders(ENTRY_COLUMNS.length)}) AS same FROM entries WHERE trace = ? AND id = ? AND rev <= ?`,
  )
  const entryIds = db.prepare<[number], { id: string }>('SELECT id FROM entries WHERE trace = ?')
  const visibleIds = db.prepare<[number, number], { id: string }>('SELECT id FROM entries WHERE trace = ? AND rev <= ?')
  const queueEntryRemoval = db.prepare<[number, string]>(
    'INSERT OR IGNORE INTO search_gone SELECT rowid FROM entries WHERE trace = ? AND id = ?',
  )
  const dropEntry = db.prepare<[number, string]>('DELETE FROM entries WHERE trace = ? AND id = ?')
  const queueAllRemovals = db.prepare<[number]>('INSERT OR IGNORE INTO search_gone SELECT rowid FROM entries WHERE trace = ?')
  const dropEntries = db.prepare<[number]>('DELETE FROM entries WHERE trace = ?')
  const dropResponses = db.prepare<[number]>('DELETE FROM responses WHERE trace = ?')
  const putResponses = (rows: number) =>
    db.prepare(
      `INSERT INTO responses (trace, ${RESPONSE_COLUMNS.join(', ')}) VALUES ${rowPlaceholders(rows, 1 + RESPONSE_COLUMNS.length)}
       ON CONFLICT (key, trace) DO UPDATE SET model = excluded.model, agent = excluded.agent, input = excluded.input, output = excluded.output,
         cache_read = excluded.cache_read, cache_write = excluded.cache_write, cache_write_1h = excluded.cache_write_1h,
         web_searches = excluded.web_searches, is_fast = excluded.is_fast, at = excluded.at, message = excluded.message`,
    )
  const putResponse = putResponses(1)
  const putManyResponses = putResponses(ROWS_PER_STATEMENT)
  const dropTrace = db.prepare<[number]>('DELETE FROM traces WHERE no = ?')
  const outcomes = db.prepare<[number], Outcome>(
    "SELECT ord, agent, success, exit_code, answered, rejected_by FROM entries WHERE trace = ? AND kind = 'call' ORDER BY ord",
  )
  const setScore = db.prepare(
    `UPDATE traces SET policy_tier = ?, quality = ?, success_rate = ?, verification = ?, tier_reason = ?, score_version = ? WHERE id = ?`,
  )
  const setTier = db.prepare('UPDATE traces SET tier = ?, tier_rank = ?, tier_source = ? WHERE id = ?')
  const setState = db.prepare('UPDATE traces SET state = ? WHERE id = ?')
  const setCost = db.prepare('UPDATE traces SET cost_usd = ? WHERE no = ?')
  const live = db.prepare<[], { id: string; no: number; session_id: string; ended_at: number | null }>(
    "SELECT id, no, session_id, ended_at FROM traces WHERE state = 'live'",
  )
  const lastCall = db.prepare<[number], { answered: number; rejected_by: string | null }>(
    "SELECT answered, rejected_by FROM entries WHERE trace = ? AND kind = 'call' ORDER BY ord DESC LIMIT 1",
  )
  const timeline = db.prepare<[number, number, number, string, number], StoredEntry>(
    `SELECT id, ord, kind, agent, tool, at, ended_at, success, label, edits FROM entries
     WHERE trace = ? AND rev <= ? AND rev > ? AND ord > ? ORDER BY ord LIMIT ?`,
  )
  const entryById = db.prepare<[number, string], StoredEntry>('SELECT * FROM entries WHERE trace = ? AND id = ?')
  const pageOf = (only: string, compare: '>' | '>=') =>
    db.prepare<[number, number, string, number], StoredEntry>(
      `SELECT * FROM entries WHERE trace = ? AND rev <= ? AND ord ${compare} ? ${only} ORDER BY ord LIMIT ?`,
    )
  const pages = {
    steps: pageOf("AND kind = 'call'", '>'),
    all: pageOf('', '>'),
    allFrom: pageOf('', '>='),
  }
  const around = db.prepare<[number, number, number, string, string], StoredEntry>(
    `SELECT * FROM entries WHERE trace = ? AND rev <= ? AND ord > coalesce(
       (SELECT min(ord) FROM (SELECT ord FROM entries WHERE trace = ? AND ord < ? ORDER BY ord DESC LIMIT ${LOOK_BACK})), '') AND ord <= ? ORDER BY ord`,
  )
  const countSteps = db.prepare<[number, number], { n: number }>(
    "SELECT count(*) AS n FROM entries WHERE trace = ? AND rev <= ? AND kind = 'call'",
  )
  const countAll = db.prepare<[number, number], { n: number }>('SELECT count(*) AS n FROM entries WHERE trace = ? AND rev <= ?')
  const seqSpan = db.prepare<[number, number], { low: number | null; high: number | null }>(
    "SELECT min(seq) AS low, max(seq) AS high FROM entries WHERE trace = ? AND rev = ? AND kind = 'call'",
  )
  const indexed = db.prepare<[number, number, number, number]>(
    `UPDATE traces SET index_pending = max(0, index_pending - ?), index_pending_bytes = CASE WHEN index_pending <= ? THEN 0 ELSE max(0, index_pending_bytes - ?) END
     WHERE no = ?`,
  )

  const runRepo = db.prepare<[string], { repo: string | null }>('SELECT repo FROM trace_runs WHERE trace_id = ?')

  const factValues = (traceId: string, rev: number, facts: TraceFacts) => {
    const { derived } = facts
    const sums = sumTokens(derived.tokensByModel)
    const knownCounts = Object.values(sums).filter((count) => count !== null)
    return [
      rev,
      facts.version,
      derived.agent,
      derived.sessionId,
      derived.title,
      runRepo.get(traceId)?.repo ?? derived.repo,
      derived.cwd,
      derived.gitBranch,
      derived.clientVersion,
      derived.startedAt,
      derived.endedAt,
      derived.startedAt !== null && derived.endedAt !== null ? derived.endedAt - derived.startedAt : null,
      derived.activeMs,
      derived.state,
      facts.sample ? 1 : 0,
      JSON.stringify(derived.models),
      derived.counts.prompts,
      derived.counts.abandonedTurns,
      derived.counts.toolCalls,
      derived.counts.failedToolCalls,
      derived.counts.rejectedToolCalls,
      derived.counts.subagents,
      derived.counts.commits,
      derived.turns,
      derived.problemCount,
      sums.input,
      sums.output,
      sums.cacheRead,
      sums.cacheWrite,
      knownCounts.length ? knownCounts.reduce((sum, count) => sum + count, 0) : null,
      facts.costUsd,
      facts.longestFailureRun,
      facts.derived.hooksOnly ? 1 : 0,
      derived.entrypoint ?? null,
      derived.waitingMs,
    ]
  }

  const require = (id: string): TraceRow => {
    const row = byId.get(id)
    if (!row) throw new AppError('trace_not_found', { message: `No trace has the id ${id}.` })
    return row
  }

  return {
    find: (id: string): TraceRow | undefined => byId.get(id),
    require,
    trace: (id: string): Trace => toTrace(require(id)),
    head: (id: string) => head.get(id),
    details: (no: number) => getDetails.get(no),

    /** A unique number for a trace whose entries are written before its row. */
    reserveNo: (): number => (lastNo += 1),
    /** Deletes entries of incomplete traces (the process was killed between two slices); returns the number of traces. */
    sweep(): number {
      let swept = 0
      for (let no = nextWithEntries.get(0)!.no; no !== null; no = nextWithEntries.get(no)!.no) {
        if (exists.get(no)) continue
        queueAllRemovals.run(no)
        dropEntries.run(no)
        dropResponses.run(no)
        swept += 1
      }
      return swept
    },

    /** Inserts or updates one trace with its details and facets. Score, tier and own rows are not changed. */
    writeTrace(no: number, isNew: boolean, rev: number, facts: TraceFacts): void {
      const { derived, pending } = facts
      const values = factValues(derived.traceId, rev, facts)
      if (isNew) insertTrace.run(no, derived.traceId, ...values, pending.entries, pending.bytes)
      else updateTrace.run(...values, pending.entries, pending.bytes, no)
      putDetails.run(
        no,
        JSON.stringify(derived.turnList),
        JSON.stringify(derived.subagents),
        JSON.stringify(derived.files),
        JSON.stringify(derived.problems),
        JSON.stringify(derived.tools),
        JSON.stringify(derived.tokensByModel),
        derived.firstPrompt,
        JSON.stringify(derived.commitList ?? []),
      )
      dropFacets.run(no)
      for (const [tool, count] of Object.entries(derived.tools)) putFacet.run('tool', tool, no, count)
      for (const model of derived.models) putFacet.run('model', model, no, 1)
      for (const [code, count] of facts.exits) putFacet.run('exit', String(code), no, count)
    },

    /** True when the row was new or different. Entries above `visibleRev` are left from an interrupted write. */
    writeEntry: (no: number, rev: number, visibleRev: number, [id, , ...columns]: EntryValues): boolean =>
      putEntry.run(no, id, rev, ...columns, visibleRev).changes > 0,
    /** Inserts entries of a trace that has none; returns their number. */
    insertEntries(no: number, rev: number, rows: readonly EntryValues[]): number {
      let changes = 0
      for (const [statement, values] of inGroups(rows, insertOne, insertMany, ([id, , ...columns]) => [no, id, rev, ...columns]))
        changes += statement.run(values).changes
      return changes
    },
    isSame: (no: number, visibleRev: number, [id, , ...columns]: EntryValues): boolean =>
      compareEntry.get(...columns, no, id, visibleRev)?.same === 1,
    entryIds: (no: number): string[] => entryIds.all(no).map(({ id }) => id),
    visibleIds: (no: number, rev: number): Set<string> => new Set(visibleIds.all(no, rev).map(({ id }) => id)),
    removeEntry(no: number, local: string): void {
      queueEntryRemoval.run(no, local)
      dropEntry.run(no, local)
    },

    removeResponses: (no: number) => dropResponses.run(no),
    writeResponses(no: number, rows: readonly ResponseValues[]): void {
      for (const [statement, values] of inGroups(rows, putResponse, putManyResponses, (row) => [no, ...row])) statement.run(values)
    },

    remove(no: number): void {
      queueAllRemovals.run(no)
      dropEntries.run(no)
      dropResponses.run(no)
      dropTrace.run(no)
    },

    /** Empties every derived table except the rows of these traces. Returns which of them have rows; search reads those again. */
    keepOnly(traceIds: readonly string[]): Set<string> {
      const keptNumbers = traceIds.flatMap((id) => head.get(id)?.no ?? [])
      // Without a condition SQLite empties a table quickly.
      const unlessKept = (column: string) => (keptNumbers.length === 0 ? '' : ` WHERE ${column} NOT IN (${keptNumbers.join(', ')})`) // the values are integers from the database
      for (const table of ['trace_details', 'trace_facets', 'entries', 'responses']) db.exec(`DELETE FROM ${table}${unlessKept('trace')}`)
      db.exec(`DELETE FROM traces${unlessKept('no')}; DELETE FROM search_gone;
        UPDATE traces SET index_pending = (SELECT count(*) FROM entries WHERE trace = no),
          index_pending_bytes = (SELECT coalesce(sum(output_bytes), 0) FROM entries WHERE trace = no)`)
      return new Set(traceIds.filter((id) => head.get(id) !== undefined))
    },
    /** Sets a problem from another stage, one per kind; null removes it. The next derive resets the list. Returns whether it changed. */
    setProblem(traceId: string, kind: string, problem: TraceProblem | null): boolean {
      const { no } = head.get(traceId)!
      const { problems } = getDetails.get(no)!
      const storedProblems = JSON.parse(problems) as TraceProblem[]
      const otherProblems = storedProblems.filter((one) => one.kind !== kind)
      const newProblems = JSON.stringify(problem ? [problem, ...otherProblems] : otherProblems)
      if (newProblems === problems) return false
      setProblems.run(newProblems, no)
      addProblems.run(otherProblems.length + (problem ? 1 : 0) - storedProblems.length, no)
      return true
    },

    /** `factsOf` of the entries in the database. */
    factsOf: (no: number): EntryFacts => factsOf(outcomes.all(no).map(toOutcome)),

    setScore: (id: string, values: [string, number | null, number | null, string, string | null, number | null]) =>
      setScore.run(...values, id),
    setTier: (id: string, tier: string, rank: number, source: string) => setTier.run(tier, rank, source, id),
    setState: (id: string, state: string) => setState.run(state, id),
    setCost: (no: number, cost: number | null) => setCost.run(cost, no),
    live: () => live.all(),
    lastCall: (no: number) => lastCall.get(no),

    timeline: (row: TraceRow, since: number, after: string, limit: number): TimelineRow[] =>
      timeline.all(row.no, row.rev, since, after, limit).map((entry) => toTimelineRow(row.id, entry)),
    entry(row: TraceRow, id: string): EntryRow | null {
      const entry = entryById.get(row.no, localId(row.id, id))
      return entry && entry.rev <= row.rev ? toEntry(row.id, entry) : null
    },
    steps: (row: TraceRow, after: string, limit: number) =>
      pages.steps.all(row.no, row.rev, after, limit).map((entry) => toEntry(row.id, entry)),
    entries: (row: TraceRow, from: { after: string } | { at: string }, limit: number) =>
      ('after' in from ? pages.all.all(row.no, row.rev, from.after, limit) : pages.allFrom.all(row.no, row.rev, from.at, limit)).map(
        (entry) => toEntry(row.id, entry),
      ),
    /** Entries from shortly before one position up to another, for the text before the calls. */
    around: (row: TraceRow, first: string, last: string) =>
      around.all(row.no, row.rev, row.no, first, last).map((entry) => toEntry(row.id, entry)),
    countSteps: (row: TraceRow) => countSteps.get(row.no, row.rev)!.n,
    countEntries: (row: TraceRow) => countAll.get(row.no, row.rev)!.n,
    /** First and last `seq` of the calls that this revision changed. */
    seqSpan: (no: number, rev: number) => seqSpan.get(no, rev)!,
    markIndexed: (no: number, entries: number, bytes: number) => indexed.run(entries, entries, bytes, no),
  }
}

/** Values in groups of `AT_ONCE` rows for the statement for many, and the rest one by one. */
function* inGroups<Row, Statement>(
  rows: readonly Row[],
  one: Statement,
  many: Statement,
  valuesOf: (row: Row) => unknown[],
): Generator<[Statement, unknown[]]> {
  let at = 0
  for (; at + ROWS_PER_STATEMENT <= rows.length; at += ROWS_PER_STATEMENT)
    yield [many, rows.slice(at, at + ROWS_PER_STATEMENT).flatMap(valuesOf)]
  for (; at < rows.length; at += 1) yield [one, valuesOf(rows[at]!)]
}

type Outcome = Pick<StoredEntry, 'ord' | 'agent' | 'success' | 'exit_code' | 'answered' | 'rejected_by'>

const toOutcome = (row: Outcome) => ({
  kind: 'call' as const,
  ord: row.ord,
  agent: row.agent,
  success: row.success === null ? null : row.success === 1,
  exitCode: row.exit_code,
  answered: row.answered === 1,
  rejectedBy: row.rejected_by,
})

/** Null only if the count of every model is unknown. */
function sumTokens(byModel: DerivedTrace['tokensByModel']) {
  const sum = { input: null, output: null, cacheRead: null, cacheWrite: null } as Record<
    'input' | 'output' | 'cacheRead' | 'cacheWrite',
    number | null
  >
  for (const usage of Object.values(byModel)) {
    for (const kind of ['input', 'output', 'cacheRead', 'cacheWrite'] as const) {
      if (usage[kind] !== null) sum[kind] = (sum[kind] ?? 0) + usage[kind]
    }
  }
  return sum
}
