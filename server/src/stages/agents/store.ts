import type { z } from 'zod'
import { ENDED_STATES, type Task, type TaskAgent, type TaskAsked, type TaskEvent, type TaskState } from '#contracts/entities/task.ts'
import { isoOf } from '#server/instant.ts'
import type { Database } from '#server/db/open.ts'
import { createRows, type Raw } from '#server/db/rows.ts'
import { UNINTERRUPTED } from './pausing.ts'

/** Everything about a run except its state. Fields that an old row lacks come from `INITIAL_FACTS`. */
export interface TaskFacts extends Omit<
  Task,
  'id' | 'no' | 'title' | 'request' | 'state' | 'queuePosition' | 'createdAt' | 'startedAt' | 'endedAt' | 'durationMs'
> {
  /** The commits of its start and end, and the folder it started from. */
  kept: { start: string; end: string | null; directory: string | null; head: string | null } | null
  /** Whether its agent can continue from its end. */
  canResume: boolean
  /** A message to the ended run, used instead of the prompt when it starts again. */
  next: string | null
  /** Folder of the repository inside its sandbox. */
  workdir: string | null
  /** Whether its agent has begun in the sandbox, whose files then stay until the run ends. */
  hasBegun: boolean
  /** Whether what an interrupted agent left has not been read yet. */
  isUnread: boolean
  /** Whether the conversation of the interrupted agent is known, so that it continues. */
  hasConversation: boolean
  /** What the user wrote to the interrupted agent. */
  added: string | null
  /** How its agent ended, while the checks run. */
  agentEnd: { claim: 'success' | 'failure'; exitCode: number | null; message: string } | null
}

export type Kept = NonNullable<TaskFacts['kept']>

export interface TaskRow {
  no: number
  id: string
  state: TaskState
  title: string
  request: TaskAsked
  facts: TaskFacts
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

export type TaskStep = Omit<z.infer<typeof TaskEvent>, 'no' | 'at'>

interface ListFilter {
  state?: readonly TaskState[] | undefined
  batchId?: string | undefined
  q?: string | undefined
  cursor?: string | undefined
  limit: number
}

export const INITIAL_FACTS: TaskFacts = {
  detail: null,
  waitingUntil: null,
  question: null,
  sandboxId: null,
  traceId: null,
  agentVersion: null,
  model: null,
  setup: [],
  inputs: [],
  turns: 0,
  tokens: { input: null, output: null, cacheRead: null, cacheWrite: null },
  costUsd: null,
  charged: null,
  removed: [],
  redacted: {},
  verification: null,
  change: null,
  handedBack: null,
  exitCode: null,
  claim: null,
  error: null,
  diskBytes: null,
  kept: null,
  canResume: false,
  next: null,
  workdir: null,
  ...UNINTERRUPTED,
}

export function createTaskStore(db: Database) {
  const insert = db.prepare(
    `INSERT INTO tasks (id, state, title, batch_id, idempotency_key, request, facts, created_at)
     VALUES (@id, 'queued', @title, @batchId, @key, @request, @facts, @at)`,
  )
  const byKey = db.prepare<[string], Raw>('SELECT * FROM tasks WHERE idempotency_key = ?')
  const update = db.prepare('UPDATE tasks SET state = @state, facts = @facts, started_at = @startedAt, ended_at = @endedAt WHERE no = @no')
  const remove = db.prepare('DELETE FROM tasks WHERE id = ?')
  const inStates = db.prepare<[string], Raw>('SELECT * FROM tasks WHERE state IN (SELECT value FROM json_each(?)) ORDER BY no')
  const endedLike = db.prepare<[string, string, string | null, number], Raw>(
    `SELECT * FROM tasks WHERE state IN (SELECT value FROM json_each(?)) AND request ->> '$.agent' = ? AND facts ->> '$.model' IS ?
     ORDER BY no DESC LIMIT ?`,
  )
  const addEvent = db.prepare('INSERT INTO task_events (task_no, no, at, event) VALUES (@task, @no, @at, @event)')
  const lastEvent = db.prepare<[number], { no: number }>('SELECT coalesce(max(no), 0) AS no FROM task_events WHERE task_no = ?')
  const events = db.prepare<[number, number, number], Raw>('SELECT * FROM task_events WHERE task_no = ? AND no > ? ORDER BY no LIMIT ?')
  const scrub = db.prepare("UPDATE tasks SET facts = json_set(facts, '$.traceId', NULL) WHERE facts ->> '$.traceId' = ?")

  const { get, require, rowOf, list } = createRows(db, {
    table: 'tasks',
    toRow,
    missing: { code: 'task_not_found', what: 'run of an agent' },
    where: `(@states IS NULL OR state IN (SELECT value FROM json_each(@states))) AND (@batchId IS NULL OR batch_id = @batchId)
      AND (@q IS NULL OR instr(lower(title), @q) > 0 OR instr(lower(request ->> '$.prompt'), @q) > 0 OR id = @q)`,
  })
  return {
    get,
    require,
    byKey: (key: string): TaskRow | null => rowOf(byKey.get(key)),
    insert({ id, title, request, key, at }: Pick<TaskRow, 'id' | 'title' | 'request'> & { key: string | undefined; at: number }): void {
      insert.run({
        id,
        title,
        batchId: request.batchId ?? null,
        key: key ?? null,
        request: JSON.stringify(request),
        facts: JSON.stringify(INITIAL_FACTS),
        at,
      })
    },
    change(
      id: string,
      { facts, ...values }: Partial<Pick<TaskRow, 'state' | 'startedAt' | 'endedAt'>> & { facts?: Partial<TaskFacts> },
    ): TaskRow {
      const before = require(id)
      const row = { ...before, ...values, facts: { ...before.facts, ...facts } }
      update.run({ no: row.no, state: row.state, facts: JSON.stringify(row.facts), startedAt: row.startedAt, endedAt: row.endedAt })
      return row
    },
    remove: (id: string): boolean => remove.run(id).changes > 0,
    list: ({ state, batchId, q, ...page }: ListFilter) =>
      list(page, { states: state ? JSON.stringify(state) : null, batchId: batchId ?? null, q: q?.trim().toLowerCase() || null }),
    /** Oldest first. */
    inStates: (states: readonly TaskState[]): TaskRow[] => inStates.all(JSON.stringify(states)).map(toRow),
    /** Newest first. */
    endedLike: (agent: TaskAgent, model: string | null, limit: number): TaskRow[] =>
      endedLike.all(JSON.stringify(ENDED_STATES), agent, model, limit).map(toRow),
    /** Returns the number of the event. */
    addEvent({ no: task }: Pick<TaskRow, 'no'>, at: number, step: TaskStep): number {
      const no = (lastEvent.get(task)?.no ?? 0) + 1
      addEvent.run({ task, no, at, event: JSON.stringify(step) })
      return no
    },
    lastEvent: ({ no }: Pick<TaskRow, 'no'>): number => lastEvent.get(no)?.no ?? 0,
    events: ({ no }: Pick<TaskRow, 'no'>, after: number, limit: number): z.infer<typeof TaskEvent>[] =>
      events.all(no, after, limit).map((raw) => ({
        ...(JSON.parse(String(raw['event'])) as TaskStep), // written by addEvent
        no: Number(raw['no']),
        at: isoOf(Number(raw['at'])),
      })),
    /** Removes references to a deleted trace. */
    forgetTrace: (traceId: string): void => void scrub.run(traceId),
  }
}

const toRow = (raw: Raw): TaskRow => ({
  no: Number(raw['no']),
  id: String(raw['id']),
  state: raw['state'] as TaskState,
  title: String(raw['title']),
  request: JSON.parse(String(raw['request'])) as TaskAsked, // validated by the contract
  facts: { ...INITIAL_FACTS, ...(JSON.parse(String(raw['facts'])) as Partial<TaskFacts>) }, // written by change
  createdAt: Number(raw['created_at']),
  startedAt: raw['started_at'] as number | null,
  endedAt: raw['ended_at'] as number | null,
})
