import { ChevronsDown, ChevronsUp, Merge, Pen } from 'lucide-react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { IconButton } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { plural } from '#renderer/ui/format.ts'
import { isOwn, neighbourOf, reasonOf } from './cuts.ts'
import type { Tasks } from './use-tasks.ts'

/** The start of a task in the transcript: why it is there, and controls to move or merge it. */
export function TaskDivider({ tasks, index }: { tasks: Tasks; index: number }) {
  const offline = useOfflineReason()
  const { segments } = tasks.tasks
  const segment = segments[index]
  if (!segment || segments.length < 2) return null
  const isUserCut = isOwn(segment)
  const blockedReason = (direction: 1 | -1) => {
    const to = neighbourOf(tasks.tasks, index, direction)
    return offline ?? (to === null || segments.some(({ firstStepId }) => firstStepId === to) ? 'There is no other step to start at.' : null)
  }
  return (
    <div
      role="group"
      aria-label={`Task ${index + 1} of ${segments.length}`}
      className="flex items-center gap-2 px-4 py-1 text-xs text-second"
    >
      <span aria-hidden className={cn('h-0 flex-1 border-t', isUserCut ? 'border-accent' : 'border-dashed border-edge')} />
      {isUserCut ? <Pen size={12} aria-hidden className="text-accent" /> : null}
      <span>
        <span className="font-semibold text-text">
          Task {index + 1} of {segments.length}
        </span>
        {index === 0 ? '' : `, ${reasonOf(segment)}`}, {plural(segment.steps, 'step')}
      </span>
      {index === 0 ? null : (
        <span className="flex">
          <IconButton
            size="small"
            icon={ChevronsUp}
            label="Start this task one step earlier"
            keys={keyOf('boundaryUp')}
            reason={blockedReason(-1)}
            onClick={() => tasks.step(index, -1)}
          />
          <IconButton
            size="small"
            icon={ChevronsDown}
            label="Start this task one step later"
            keys={keyOf('boundaryDown')}
            reason={blockedReason(1)}
            onClick={() => tasks.step(index, 1)}
          />
          <IconButton
            size="small"
            icon={Merge}
            label="Merge with previous task"
            keys={keyOf('boundary')}
            reason={offline}
            onClick={() => tasks.join(index)}
          />
        </span>
      )}
      <span aria-hidden className={cn('h-0 flex-1 border-t', isUserCut ? 'border-accent' : 'border-dashed border-edge')} />
    </div>
  )
}
