import { ExamTask } from '#contracts/entities/exam.ts'
import { placeBelow } from '#server/within.ts'
import type { TaskRow } from './store.ts'

/** Without what only its runs need. `examFolder` has the folders of its tasks. */
export const taskView = (task: TaskRow, examFolder: string): ExamTask =>
  ExamTask.parse({ ...task, folder: placeBelow(examFolder, task.id) })
