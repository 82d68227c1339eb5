import { useEffect, useRef, useState } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { useTaskEvents } from '#renderer/api/tasks.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { plural } from '#renderer/ui/format.ts'
import { VirtualList, type VirtualListHandle } from '#renderer/ui/lists/virtual-list.tsx'
import { EventRow } from './event-row.tsx'

const ROW_PX = 44

/** The steps that the agent reports, as they arrive. */
export function Events({ task }: { task: Task }) {
  const query = useTaskEvents(task.id)
  const events = query.data
  const [follows, setFollows] = useState(!hasEnded(task))
  const list = useRef<VirtualListHandle>(null)
  const last = (events?.length ?? 0) - 1
  useEffect(() => {
    if (follows && last >= 0) list.current?.scrollToIndex(last, 'end')
  }, [follows, last])
  if (!events)
    return (
      <div className="flex-1 p-3">
        <Fetched query={query} what="steps" bars={['h-8 w-full', 'h-8 w-full', 'h-8 w-full']}>
          {() => null}
        </Fetched>
      </div>
    )
  if (events.length === 0) {
    return (
      <p className="flex-1 p-6 text-center text-sm text-second">
        {hasEnded(task) ? 'The agent reported no steps.' : 'The first step appears once the agent is working.'}
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
