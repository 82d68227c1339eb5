import type { Task } from '#contracts/entities/task.ts'
import { stateDetail, stateLine, TASK_STATES } from '#renderer/app/words/tasks.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { cn } from '#renderer/ui/cn.ts'

type Of = Pick<Task, 'state' | 'queuePosition' | 'detail' | 'waitingUntil'>

/** The state in a list: icon and word. */
export function StateWord({ task }: { task: Of }) {
  const { icon: Icon, ink } = TASK_STATES[task.state]
  return (
    <span className={cn('flex min-w-0 items-center gap-1.5', ink)} title={stateDetail(task)}>
      <Icon size={14} aria-hidden className="shrink-0" />
      <span className="truncate">{stateLine(task)}</span>
    </span>
  )
}

/** The same as a badge, for the head of a page. */
export function StateBadge({ task }: { task: Of }) {
  const { icon: Icon, tone } = TASK_STATES[task.state]
  return (
    <Badge tone={tone}>
      <Icon size={12} aria-hidden />
      {stateLine(task)}
    </Badge>
  )
}
