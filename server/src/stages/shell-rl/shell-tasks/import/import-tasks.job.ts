import fs from 'node:fs'
import type { ShellTaskImport } from '#contracts/entities/shell-task.ts'
import { rowsOf } from '#server/adapters/outside-rows/index.ts'
import { readOnlyOfThread } from '#server/db/thread.ts'
import type { JobContext } from '#server/workers/thread.ts'
import { sameKeyOf } from '../identity.ts'
import { needsDocker } from '../needs-docker.ts'
import { createNearIndex } from '../near.ts'
import { harborRows } from './harbor-rows.ts'
import { readShellTask, type ReadTask } from './read-row.ts'

export interface ImportInput {
  database: string
  /** Each with the name that its bad lines are reported with; null: it is the only one. */
  files: readonly { name: string | null; file: string }[]
  /** The output file: one `ReadTask` per line. */
  to: string
  isHeldOut: boolean
  keepNear: boolean
}

interface StoredRow {
  id: string
  task: string
  setup: string
  check_command: string
  is_held_out: number
}

/** How many bad lines are reported; the last entry counts the others. */
const MAX_BAD_LINES = 2000
const REPORT_EVERY = 200

/** Reads files of tasks and writes the new ones. Bad lines are reported and skipped. `imported` counts the lines written. */
export default async function importTasks(
  input: ImportInput,
  { signal, progress }: Pick<JobContext, 'signal' | 'progress'>,
): Promise<ShellTaskImport> {
  const bad: ShellTaskImport['bad'] = []
  const read: { line: number; task: ReadTask }[] = []
  const step = (phase: string, done: number, total: number | null) => {
    if (done % REPORT_EVERY !== 0) return
    signal.throwIfAborted()
    progress({ phase, done, total, unit: 'rows' })
  }
  let rows = 0
  for (const { name, file } of input.files)
    for await (const { line, row, error } of fs.statSync(file).isDirectory() ? harborRows(file) : rowsOf(file)) {
      step('reading', (rows += 1), null)
      const result = error === null ? readShellTask(row) : { reason: error }
      if ('reason' in result) bad.push({ line, reason: name === null ? result.reason : `${name}: ${result.reason}` })
      else read.push({ line, task: result.task })
    }
  const stored = readOnlyOfThread(input.database)
    .prepare<[], StoredRow>('SELECT id, task, setup, check_command, is_held_out FROM shell_tasks')
    .all()
  const idByKey = new Map(stored.map((row) => [sameKeyOf({ task: row.task, setup: commandsIn(row), check: row.check_command }), row.id]))
  const ids = new Set(stored.map(({ id }) => id))
  const near = createNearIndex(
    stored.map(({ id, task, is_held_out }) => ({ id, task, isHeldOut: is_held_out === 1 })),
    read.map(({ task }) => task.task),
  )
  const duplicates = { exact: 0, near: 0 }
  const newTasks: ReadTask[] = []
  const needingDocker: ShellTaskImport['needsDocker'] = []
  for (const [index, { line, task }] of read.entries()) {
    step('comparing', index, read.length)
    const key = sameKeyOf(task)
    if (idByKey.has(key)) {
      duplicates.exact += 1
      continue
    }
    const similarTasks = near.near(task.task)
    const otherKind = similarTasks.find(({ isHeldOut }) => isHeldOut !== input.isHeldOut)
    if (similarTasks.length > 0 && !input.keepNear) {
      duplicates.near += 1
      continue
    }
    if (otherKind) {
      bad.push({ line, reason: otherKindReason(otherKind.id, otherKind.isHeldOut) })
      continue
    }
    // another file may use the same ids for other tasks
    const id = ids.has(task.id) ? `${task.id.slice(0, 180)}-${key.replaceAll(/[^A-Za-z0-9]/g, '').slice(0, 8)}` : task.id
    idByKey.set(key, id)
    ids.add(id)
    const reason = needsDocker(task.setup)
    if (reason !== null) needingDocker.push({ line, reason })
    near.add({ id, task: task.task, isHeldOut: input.isHeldOut })
    newTasks.push(id === task.id ? task : { ...task, id, extra: { ...task.extra, task_id: task.id } })
  }
  write(input.to, newTasks)
  return { imported: newTasks.length, duplicates, needsDocker: needingDocker.slice(0, MAX_BAD_LINES), bad: limitBadLines(bad) }
}

function write(file: string, tasks: readonly ReadTask[]): void {
  const handle = fs.openSync(file, 'wx', 0o600)
  try {
    for (const task of tasks) fs.writeFileSync(handle, `${JSON.stringify(task)}\n`)
  } finally {
    fs.closeSync(handle)
  }
}

const commandsIn = ({ setup }: StoredRow): string[] => JSON.parse(setup) as string[] // written by the store

const otherKindReason = (id: string, isHeldOut: boolean): string =>
  isHeldOut
    ? `It is nearly the same as the held-out task ${id}, so it cannot be in a training split.`
    : `It is nearly the same as the task ${id} of a training split, so it cannot be held out.`

function limitBadLines(bad: ShellTaskImport['bad']): ShellTaskImport['bad'] {
  const sorted = bad.toSorted((a, b) => a.line - b.line)
  if (sorted.length <= MAX_BAD_LINES) return sorted
  const [reported, rest] = [sorted.slice(0, MAX_BAD_LINES - 1), sorted.slice(MAX_BAD_LINES - 1)]
  return [...reported, { line: rest[0]!.line, reason: `This line and ${rest.length - 1} later lines are bad, too.` }]
}
