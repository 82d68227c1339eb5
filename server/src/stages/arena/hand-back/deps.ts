import type { Task } from '#contracts/entities/task.ts'
import type { Changes } from '#server/adapters/git/changes.ts'
import type { TaskChange } from '../agents/change.ts'
import type { CarryDeps } from './carry.ts'
import type { FileLines } from './diff/patch.ts'
import type { History } from './history.ts'

export interface HandBackDeps extends CarryDeps {
  changes: Changes
  history: History
  /** All hunks of files of a change. */
  linesOf: (change: TaskChange, paths: readonly string[], signal: AbortSignal) => Promise<Map<string, FileLines>>
  taskOf: (id: string) => Task
  changeOf: (id: string) => TaskChange
  /** Tells what was done with the change of a run; null: nothing any more. */
  recordHandBack: (id: string, handedBack: Task['handedBack']) => Task
  /** For what one call needs; the data directory. */
  scratch: string
  dataDirectory: string
  now: () => number
}
