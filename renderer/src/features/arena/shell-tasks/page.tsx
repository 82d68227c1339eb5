import { ShellTaskId } from '#contracts/entities/shell-task.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ShellTaskDetail } from './detail.tsx'
import { ShellTaskList } from './list.tsx'
import { ALL_SHELL_TASKS } from './words.ts'

/** `/arena/shell-tasks`, and one address a task. */
export default function ShellTasksPage({ rest }: { rest: string }) {
  if (rest === '') return <ShellTaskList />
  const id = decodeURIComponent(rest)
  return ShellTaskId.safeParse(id).success ? <ShellTaskDetail key={id} id={id} /> : <NoSuch what="shell task" all={ALL_SHELL_TASKS} />
}
