import type { TaskAsked } from '#contracts/entities/task.ts'

const MAX_LENGTH = 100

/** The title of a task: the requested one, otherwise the first line of the prompt. */
export function taskTitle({ title, prompt }: Pick<TaskAsked, 'title' | 'prompt'>): string {
  const text = title ?? prompt.trim().split('\n', 1)[0]!
  return title === undefined && text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}

/** The title of a run. Number and model distinguish attempts at one task, and come first because lists cut off the end. */
export function runTitle(request: TaskAsked, model: string | null): string {
  const title = taskTitle(request)
  if (request.batchId === undefined) return title
  return `Attempt ${request.attempt ?? 1}${model === null ? '' : `, ${model}`}: ${title}`
}
