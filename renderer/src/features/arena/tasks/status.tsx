import { Bot } from 'lucide-react'
import type { Task } from '#contracts/entities/task.ts'
import { useActiveTasks } from '#renderer/api/tasks.ts'
import { StatusPart } from '#renderer/app/status-part.tsx'
import { taskHref } from '#renderer/app/links.ts'

/** The number of agents that need you, work, or are queued; hidden if there are none. */
export function TasksItem() {
  const tasks = useActiveTasks().data?.pages[0]?.items ?? []
  const needing = tasks.filter(({ state }) => state === 'needs_you')
  const working = tasks.filter(({ state }) => state !== 'needs_you' && state !== 'review' && state !== 'queued')
  const queued = tasks.filter(({ state }) => state === 'queued')
  if (needing.length + working.length + queued.length === 0) return null
  return (
    <StatusPart href={hrefOf(needing, working)} icon={Bot} tone={needing.length > 0 ? 'text-warn' : 'text-accent'}>
      {[
        needing.length > 0 && `${needing.length} ${needing.length === 1 ? 'agent needs' : 'agents need'} you`,
        working.length > 0 && `${working.length} working`,
        queued.length > 0 && `${queued.length} queued`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </StatusPart>
  )
}

/** The one task that needs you, or the only one that works; otherwise the list. */
function hrefOf(needing: readonly Task[], working: readonly Task[]): string {
  const [first] = needing.length > 0 ? needing : working
  return first && (needing.length === 1 || (needing.length === 0 && working.length === 1))
    ? taskHref(first.id)
    : '/arena/tasks?state=active'
}
