import { readOnlyOfThread } from '#server/db/thread.ts'
import { createNearIndex, type Near } from './near.ts'

export interface NearInput {
  database: string
  task: string
  /** Only these are looked at: tasks of held-out splits, or those of the others. */
  heldOut: boolean
  /** A task that is itself no finding. */
  except: string | null
}

/** The stored task that is most like a text, null where none is nearly the same. */
export default function near({ database, task, heldOut, except }: NearInput): Near | null {
  const rows = readOnlyOfThread(database)
    .prepare<[number, string], { id: string; task: string }>('SELECT id, task FROM shell_tasks WHERE is_held_out = ? AND id <> ?')
    .all(heldOut ? 1 : 0, except ?? '')
  return createNearIndex(rows.map((row) => ({ ...row, isHeldOut: heldOut })), [task]).near(task)[0] ?? null // prettier-ignore
}
