import { readOnlyOfThread } from '#server/db/thread.ts'
import { createNearIndex, type Near } from './near.ts'

export interface NearInput {
  database: string
  task: string
  /** Compares with tasks of held-out splits, otherwise with those of other splits. */
  heldOut: boolean
  /** The id of a task that is not compared. */
  except: string | null
}

/** The stored task that is most like a text, null if none is nearly the same. */
export default function near({ database, task, heldOut, except }: NearInput): Near | null {
  const rows = readOnlyOfThread(database)
    .prepare<[number, string], { id: string; task: string }>('SELECT id, task FROM shell_tasks WHERE is_held_out = ? AND id <> ?')
    .all(heldOut ? 1 : 0, except ?? '')
  return createNearIndex(rows.map((row) => ({ ...row, isHeldOut: heldOut })), [task]).near(task)[0] ?? null // prettier-ignore
}
