import { useEffect, useRef, useState } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { useTaskEvents } from '#renderer/api/tasks.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { plural } from '#renderer/ui/format.ts'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/lists/virtual-list.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { EventRow } from './event-row.tsx'

const ROW_PX = 44

/** What the agent tells of its work, step by step, as it comes. */
export function Events({ task }: { task: Task }) {
  const { data: events, error, refetch } = useTaskEvents(task.id)
  const [follows, setFollows] = useState(!hasEnded(task))
  const list = useRef<VirtualListHandle>(null)
  const last = (events?.length ?? 0) - 1
  useEffect(() => {
    if (follows && last >= 0) list.current?.scrollToIndex(last, 'end')
  }, [follows, last])
  if (error && !events) {
    return <ErrorState className="m-3" title="Couldn't load the steps" error={error} retry={() => void refetch()} />
  }
  if (!events) {
    return (
      <Loading label="Loading the steps" className="flex flex-1 flex-col gap-2 p-3">
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-8 w-full" />
        <Skeleton className="h-8 w-full" />
      </Loading>
    )
  }
  if (events.length === 0) {
    return (
      <p className="flex-1 p-6 text-center text-sm text-second">
        {hasEnded(task) ? 'The agent told nothing of its work.' : 'The first step appears once the agent is at work.'}
      </p>
    )
  }
  return (
    <>
      <div className="flex items-center justify-between border-b border-line px-3 py-1 text-xs text-second">
        <span>{plural(events.length, 'event')}</span>
        <span className="flex items-center gap-1">
          <Checkbox label="Follow the newest step" checked={follows} onChange={setFollows} />
          <span aria-hidden>Follow</span>
        </span>
      </div>
      <VirtualList
        ref={list}
        label="Steps of the agent"
        items={events}
        estimate={ROW_PX}
        measured
        keyOf={({ no }) => String(no)}
        className="px-1 py-2"
      >
        {(event) => <EventRow event={event} />}
      </VirtualList>
    </>
  )
}
