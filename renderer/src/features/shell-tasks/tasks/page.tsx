import { lazy } from 'react'
import { TraceId } from '#contracts/entities/common.ts'
import { ShellTaskId } from '#contracts/entities/shell-task.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ShellTaskDetail } from './detail.tsx'
import { ShellTaskList } from './list.tsx'
import { ALL_SHELL_TASKS } from './words.ts'

const FromSession = lazy(() => import('./proposals/from-session.tsx'))
const Generate = lazy(() => import('./generate/generate.tsx'))

/** `/shell-tasks`, `/shell-tasks/tasks/ID` of a task, and the pages that make new tasks. */
export default function ShellTasksPage({ rest }: { rest: string }) {
  if (rest === '') return <ShellTaskList />
  if (rest === 'new/generate') return <Generate />
  const [, traceId] = /^from\/(.+)$/.exec(rest) ?? []
  if (traceId !== undefined)
    return TraceId.safeParse(traceId).success ? (
      <FromSession key={traceId} traceId={traceId} />
    ) : (
      <NoSuch what="session" all={ALL_SHELL_TASKS} />
    )
  const [, id = ''] = /^tasks\/(.+)$/.exec(decodeURIComponent(rest)) ?? []
  return ShellTaskId.safeParse(id).success ? <ShellTaskDetail key={id} id={id} /> : <NoSuch what="shell task" all={ALL_SHELL_TASKS} />
}
