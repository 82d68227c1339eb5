import { hash } from 'node:crypto'
import type { ShellTaskBody } from '#contracts/entities/shell-task.ts'
import { normalSpace } from '#server/likeness/normal-space.ts'

type Content = Pick<ShellTaskBody, 'task' | 'setup' | 'check'>

/** A hash of everything that defines a task. */
export const contentHashOf = ({ task, setup, check }: Content): string => hash('sha256', JSON.stringify([task, setup, check]))

/** The text of a task for comparisons, which ignore case and white space. */
export const comparedText = (task: string): string => normalSpace(task).toLowerCase()

/** A key that is equal for tasks that differ only in case and white space. */
export const sameKeyOf = ({ task, setup, check }: Content): string =>
  hash('sha256', JSON.stringify([comparedText(task), setup.map(normalSpace), normalSpace(check)]), 'base64')

/** The id of a task whose row has no id. */
export const idOfContent = (content: Content): string => `st-${contentHashOf(content).slice(0, 24)}`
