import type { Task } from '#contracts/entities/task.ts'
import type { Changes } from '#server/adapters/git/changes.ts'
import type { TaskChange } from '../change.ts'
import type { CarryDeps } from './carry.ts'
import type { FileLines } from './diff/patch.ts'
import type { History } from './history.ts'

export interface HandBackDeps extends CarryDeps {
  changes: Changes
  history: History
  /** All hunks of some files of a change. */
  linesOf: (change: TaskChange, paths: readonly string[], signal: AbortSignal) => Promise<Map<string, FileLines>>
  taskOf: (id: string) => Task
  changeOf: (id: string) => TaskChange
  /** Records what was done with the change of a run; null after an undo. */
  recordHandBack: (id: string, handedBack: Task['handedBack']) => Task
  /** The folder for temporary files of a call. */
  scratch: string
  dataDirectory: string
  now: () => number
}
