import { Bot } from 'lucide-react'
import type { Task } from '#contracts/entities/task.ts'
import { useActiveTasks } from '#renderer/api/tasks.ts'
import { StatusPart } from '#renderer/app/status-part.tsx'
import { taskHref } from '#renderer/app/links.ts'

/** The number of agents that need you, work, are paused or queued; hidden if there are none. */
export function TasksItem() {
  const tasks = useActiveTasks().data?.pages[0]?.items ?? []
  const needing = tasks.filter(({ state }) => state === 'needs_you')
  const working = tasks.filter(({ state }) => state !== 'needs_you' && state !== 'review' && state !== 'queued' && state !== 'paused')
  const paused = tasks.filter(({ state }) => state === 'paused')
  const queued = tasks.filter(({ state }) => state === 'queued')
  if (needing.length + working.length + paused.length + queued.length === 0) return null
  return (
    <StatusPart href={hrefOf(needing, working, paused)} icon={Bot} tone={needing.length > 0 ? 'text-warn' : 'text-accent'}>
      {[
        needing.length > 0 && `${needing.length} ${needing.length === 1 ? 'agent needs' : 'agents need'} you`,
        working.length > 0 && `${working.length} working`,
        paused.length > 0 && `${paused.length} paused`,
        queued.length > 0 && `${queued.length} queued`,
      ]
        .filter(Boolean)
        .join(' · ')}
    </StatusPart>
  )
}

/** The only task of the first group that has any; otherwise the list. */
function hrefOf(...groups: [needing: readonly Task[], working: readonly Task[], paused: readonly Task[]]): string {
  const [first, ...others] = groups.find((tasks) => tasks.length > 0) ?? []
  if (first && others.length === 0) return taskHref(first.id)
  return `/agents?state=${first?.state === 'paused' ? 'yours' : 'active'}`
}
