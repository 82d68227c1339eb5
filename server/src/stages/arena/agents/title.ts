import type { TaskAsked } from '#contracts/entities/task.ts'

const [LONGEST, LONGEST_OF_ATTEMPT] = [100, 60]

const cut = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text)

/** Of what is to be done: as it was given, else how the prompt begins. */
export const taskTitle = ({ title, prompt }: Pick<TaskAsked, 'title' | 'prompt'>): string =>
  title ?? cut(prompt.trim().split('\n', 1)[0]!, LONGEST)

/** Of a run: attempts at one task are told apart by number and model. */
export function runTitle(request: TaskAsked, model: string | null): string {
  const title = taskTitle(request)
  if (request.batchId === undefined) return title
  return `${cut(title, LONGEST_OF_ATTEMPT)} (attempt ${[request.attempt ?? 1, model].filter((part) => part !== null).join(', ')})`
}
