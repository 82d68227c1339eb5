import type { ShellTask, ShellTaskBody, ShellTaskItem, ShellTaskSource, ShellValidation } from '#contracts/entities/shell-task.ts'
import type { ShellTaskFilter } from '#contracts/routes/shell-tasks.ts'
import { isoOf } from '#server/instant.ts'
import { likeAnywhere } from '#server/db/like.ts'
import type { Database } from '#server/db/open.ts'
import { pageOf } from '#server/db/paging.ts'
import { numberAfter } from '#server/db/rows.ts'
import { contentHashOf } from './identity.ts'

interface Row {
  no: number
  id: string
  split: string
  is_held_out: number
  source: ShellTaskSource
  task: string
  setup: string
  check_command: string
  difficulty: number | null
  reference_solution: string | null
  extra: string
  content_hash: string
  validation_status: ShellValidation['status'] | null
  validated_at: string | null
  created_at: number
}

/** A task that is not stored yet. */
export interface NewTask extends ShellTaskBody {
  id: string
  split: string
  isHeldOut: boolean
  source: ShellTaskSource
  extra: Record<string, unknown>
}

const COLUMNS = `no, id, split, is_held_out, source, task, setup, check_command, difficulty, reference_solution, extra, content_hash,
  validation_status, validated_at, created_at`

/** The SQL value of each facet; a missing value is `none`. */
const FACETS = {
  split: 'split',
  difficulty: "coalesce(CAST(difficulty AS TEXT), 'none')",
  source: 'source',
  status: "coalesce(validation_status, 'none')",
} as const
type Facet = keyof typeof FACETS

/** Synchronous; runs in the caller's transaction. */
export function createShellTaskStore(db: Database, now: () => number) {
  const INSERT = `INSERT INTO shell_tasks (id, split, is_held_out, source, task, setup, check_command, difficulty, reference_solution, extra, content_hash, created_at)
     VALUES (@id, @split, @isHeldOut, @source, @task, @setup, @check, @difficulty, @referenceSolution, @extra, @contentHash, @createdAt)`
  const insert = db.prepare(`${INSERT} ON CONFLICT (id) DO NOTHING`)
  const UNCHANGED = 'content_hash = excluded.content_hash AND reference_solution IS excluded.reference_solution'
  const upsert = db.prepare(
    `${INSERT} ON CONFLICT (id) DO UPDATE SET split = excluded.split, is_held_out = excluded.is_held_out, task = excluded.task, setup = excluded.setup,
       check_command = excluded.check_command, difficulty = excluded.difficulty, reference_solution = excluded.reference_solution,
       extra = excluded.extra, content_hash = excluded.content_hash,
       validation_status = CASE WHEN ${UNCHANGED} THEN validation_status END,
       validated_at = CASE WHEN ${UNCHANGED} THEN validated_at END,
       validation = CASE WHEN ${UNCHANGED} THEN validation END
     WHERE source = excluded.source AND NOT is_edited`,
  )
  const change = db.prepare(
    `UPDATE shell_tasks SET task = @task, setup = @setup, check_command = @check, difficulty = @difficulty, reference_solution = @referenceSolution,
       content_hash = @contentHash, is_edited = 1, validation_status = NULL, validated_at = NULL, validation = NULL WHERE id = @id`,
  )
  const remove = db.prepare('DELETE FROM shell_tasks WHERE id = ?')
  const setValidation = db.prepare(
    `UPDATE shell_tasks SET validation_status = @status, validated_at = @at, validation = @validation
     WHERE id = @id AND content_hash = @contentHash AND reference_solution IS @referenceSolution`,
  )
  const byId = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM shell_tasks WHERE id = ?`)
  const ofSplit = db.prepare<[string], Row>(`SELECT ${COLUMNS} FROM shell_tasks WHERE split = ? ORDER BY no`)
  const heldOut = db.prepare<[], Row>(`SELECT ${COLUMNS} FROM shell_tasks WHERE is_held_out ORDER BY no`)
  const validationOf = db.prepare<[string], { validation: string | null }>('SELECT validation FROM shell_tasks WHERE id = ?')
  const splits = db.prepare<[], { split: string; held_out: number; n: number }>(
    'SELECT split, max(is_held_out) AS held_out, count(*) AS n FROM shell_tasks GROUP BY split ORDER BY split',
  )
  const removeUnshipped = db.prepare(
    "DELETE FROM shell_tasks WHERE source = 'starter' AND NOT is_edited AND id NOT IN (SELECT value FROM json_each(?))",
  )
  const rowOf = (task: NewTask) => ({
    ...task,
    isHeldOut: task.isHeldOut ? 1 : 0,
    setup: JSON.stringify(task.setup),
    extra: JSON.stringify(task.extra),
    contentHash: contentHashOf(task),
    createdAt: now(),
  })

  return {
    /** False if there is already a task with this id. */
    add: (task: NewTask): boolean => insert.run(rowOf(task)).changes > 0,
    /** Replaces the shipped tasks, except those that the user edited. */
    ship(tasks: readonly NewTask[]): void {
      for (const task of tasks) upsert.run(rowOf(task))
      removeUnshipped.run(JSON.stringify(tasks.map(({ id }) => id)))
    },
    change: (task: NewTask): void => {
      const { task: text, setup, check, difficulty, referenceSolution, contentHash, id } = rowOf(task)
      change.run({ task: text, setup, check, difficulty, referenceSolution, contentHash, id })
    },
    remove: (id: string): boolean => remove.run(id).changes > 0,
    /** False if the task was changed or removed during validation. */
    setValidation: ({ id, contentHash, referenceSolution }: ShellTaskItem, found: ShellValidation): boolean =>
      setValidation.run({ id, contentHash, referenceSolution, status: found.status, at: found.at, validation: JSON.stringify(found) })
        .changes > 0,
    item(id: string): ShellTaskItem | null {
      const row = byId.get(id)
      return row ? toItem(row) : null
    },
    get(id: string): ShellTask | null {
      const row = byId.get(id)
      if (!row) return null
      const { validation } = validationOf.get(id)!
      return { ...toItem(row), validation: validation === null ? null : (JSON.parse(validation) as ShellValidation) } // written by setValidation
    },
    ofSplit: (split: string): ShellTaskItem[] => ofSplit.all(split).map(toItem),
    heldOut: (): ShellTaskItem[] => heldOut.all().map(toItem),
    /** Every split, with whether it is held out. */
    splits: () => splits.all().map(({ split, held_out, n }) => ({ split, isHeldOut: held_out === 1, tasks: n })),
    list(filter: ShellTaskFilter, cursor: string | undefined, limit: number) {
      const { sql, params } = whereOf(filter)
      const rows = db
        .prepare<unknown[], Row>(`SELECT ${COLUMNS} FROM shell_tasks WHERE ${sql} AND no > ? ORDER BY no LIMIT ?`)
        .all(...params, numberAfter(cursor), limit + 1)
      const { items, nextCursor } = pageOf(rows, limit, ({ no }) => no)
      const total = db.prepare<unknown[], { n: number }>(`SELECT count(*) AS n FROM shell_tasks WHERE ${sql}`).get(...params)!.n
      return { items: items.map(toItem), nextCursor, total }
    },
    counts(filter: ShellTaskFilter): Record<Facet, Record<string, number>> {
      const count = (facet: Facet) => {
        const { sql, params } = whereOf({ ...filter, [facet]: undefined })
        const rows = db.prepare<unknown[], { key: string; n: number }>(`SELECT ${FACETS[facet]} AS key, count(*) AS n FROM shell_tasks WHERE ${sql} GROUP BY 1 ORDER BY 1`) // prettier-ignore
        return Object.fromEntries(rows.all(...params).map(({ key, n }) => [key, n]))
      }
      return { split: count('split'), difficulty: count('difficulty'), source: count('source'), status: count('status') }
    },
  }
}

const toItem = (row: Row): ShellTaskItem => ({
  id: row.id,
  split: row.split,
  isHeldOut: row.is_held_out === 1,
  source: row.source,
  task: row.task,
  setup: JSON.parse(row.setup) as string[], // written by rowOf, as is extra
  check: row.check_command,
  difficulty: row.difficulty,
  referenceSolution: row.reference_solution,
  extra: JSON.parse(row.extra) as Record<string, unknown>,
  contentHash: row.content_hash,
  createdAt: isoOf(row.created_at),
  validation: row.validation_status === null ? null : { status: row.validation_status, at: row.validated_at! },
})

function whereOf(filter: ShellTaskFilter): { sql: string; params: unknown[] } {
  const parts = ['1']
  const params: unknown[] = []
  for (const facet of Object.keys(FACETS) as Facet[]) {
    const values = filter[facet]
    if (!values?.length) continue
    parts.push(`${FACETS[facet]} IN (SELECT value FROM json_each(?))`)
    params.push(JSON.stringify(values))
  }
  for (const word of filter.q?.split(/\s+/).filter(Boolean) ?? []) {
    parts.push("(task LIKE ? ESCAPE '\\' OR check_command LIKE ? ESCAPE '\\' OR setup LIKE ? ESCAPE '\\' OR id LIKE ? ESCAPE '\\')")
    params.push(...Array.from({ length: 4 }, () => likeAnywhere(word)))
  }
  return { sql: parts.join(' AND '), params }
}
