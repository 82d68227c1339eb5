import { hash } from 'node:crypto'
import type { ShellTaskBody } from '#contracts/entities/shell-task.ts'
import { normalSpace } from '#server/likeness/normal-space.ts'

type Content = Pick<ShellTaskBody, 'task' | 'setup' | 'check'>

/** Changes with what a task asks, sets up or checks. */
export const contentHashOf = ({ task, setup, check }: Content): string => hash('sha256', JSON.stringify([task, setup, check]))

/** The text of a task as it is compared with others: case and blanks do not count. */
export const comparedText = (task: string): string => normalSpace(task).toLowerCase()

/** The same for tasks that differ in case and blanks only. */
export const sameKeyOf = ({ task, setup, check }: Content): string =>
  hash('sha256', JSON.stringify([comparedText(task), setup.map(normalSpace), normalSpace(check)]), 'base64')

/** The id of a task whose row has no id. */
export const idOfContent = (content: Content): string => `st-${contentHashOf(content).slice(0, 24)}`
