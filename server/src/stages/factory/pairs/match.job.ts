import { matchTasks } from './match.ts'
import type { Task } from './types.ts'

/** Comparing the prompts of thousands of tasks takes seconds: never on the main thread. */
export default function match({ tasks }: { tasks: Task[] }): ReturnType<typeof matchTasks> {
  return matchTasks(tasks)
}
