import type { TaskAsked } from '#contracts/entities/task.ts'

const LONGEST = 100

/** Of what is to be done: as it was given, else how the prompt begins. */
export function taskTitle({ title, prompt }: Pick<TaskAsked, 'title' | 'prompt'>): string {
  const text = title ?? prompt.trim().split('\n', 1)[0]!
  return title === undefined && text.length > LONGEST ? `${text.slice(0, LONGEST - 1)}…` : text
}

/** Of a run: attempts at one task are told apart by number and model, which stand first as lists cut the end off. */
export function runTitle(request: TaskAsked, model: string | null): string {
  const title = taskTitle(request)
  if (request.batchId === undefined) return title
  return `Attempt ${request.attempt ?? 1}${model === null ? '' : `, ${model}`}: ${title}`
}
