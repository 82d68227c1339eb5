import { readOnlyOfThread } from '#server/db/thread.ts'
import { createNearIndex, type NearTask } from './near.ts'

export interface NearInput {
  database: string
  task: string
  /** True: compares with held-out tasks; false: compares with the other tasks. */
  heldOut: boolean
  /** The id of a task that is not compared. */
  except: string | null
}

/** The stored task that is most similar to a text; null if none is nearly the same. */
export default function near({ database, task, heldOut, except }: NearInput): NearTask | null {
  const rows = readOnlyOfThread(database)
    .prepare<[number, string], { id: string; task: string }>('SELECT id, task FROM shell_tasks WHERE is_held_out = ? AND id <> ?')
    .all(heldOut ? 1 : 0, except ?? '')
  return createNearIndex(rows.map((row) => ({ ...row, isHeldOut: heldOut })), [task]).near(task)[0] ?? null // prettier-ignore
}
