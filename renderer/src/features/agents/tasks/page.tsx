import { lazy } from 'react'
import { TaskId } from '#contracts/entities/task.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ALL_TASKS } from './all-tasks.ts'
import { TaskList } from './list/task-list.tsx'

const NewTask = lazy(() => import('./new/new-task.tsx'))
const TaskPage = lazy(() => import('./run/task-page.tsx'))

/** Shows `/agents`, `/agents/tasks/new` and `/agents/tasks/:id`. */
export default function TasksPage({ rest }: { rest: string }) {
  if (rest === '') return <TaskList />
  if (rest === 'new') return <NewTask />
  return TaskId.safeParse(rest).success ? <TaskPage key={rest} id={rest} /> : <NoSuch what="task" all={ALL_TASKS} />
}
