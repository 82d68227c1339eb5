import type { ExamTask } from '#contracts/entities/exam.ts'
import { placeBelow } from '#server/within.ts'
import type { TaskRow } from './store.ts'

/** `examFolder` has the folders of its tasks. */
export const taskView = (
  { project: _, start: _start, reference: _reference, packages: _packages, commit: _commit, ...task }: TaskRow,
  examFolder: string,
): ExamTask => ({
  ...task,
  folder: placeBelow(examFolder, task.id),
})
