import { RotateCcw, Scissors, Undo2 } from 'lucide-react'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { describeError } from '#renderer/ui/states.tsx'
import type { Tasks } from './use-tasks.ts'

/** How many tasks the session has, whose cuts they are, and how to change them at the selected step. */
export function TaskBar({ tasks, selected }: { tasks: Tasks; selected: number }) {
  const offline = useOfflineReason()
  const count = tasks.tasks.segments.length
  if (tasks.error) return <span className="text-xs text-bad">Couldn't load the tasks: {describeError(tasks.error).message}</span>
  // reserves the width, so that nothing moves when the count is loaded
  if (count === 0) return <span aria-hidden className="h-7 w-72" />
  const boundary = selected < 0 ? -1 : tasks.boundaryAt(selected)
  const blockedReason =
    selected < 0
      ? 'Select a step first.'
      : boundary < 0 && tasks.placeAt(selected) === null
        ? "A task can't start here: this is the first step, the middle of a response, or after the last call."
        : null
  return (
    <div role="group" aria-label="Tasks of this session" className="flex items-center gap-1 text-xs">
      <span className="pr-1 whitespace-nowrap text-second">
        {plural(count, 'task')}
        {tasks.userCutCount > 0 ? `, ${formatCount(tasks.userCutCount)} ${tasks.userCutCount === 1 ? 'change' : 'changes'} by you` : ''}
      </span>
      <Button
        size="small"
        look="quiet"
        icon={Scissors}
        keys={keyOf('boundary')}
        reason={offline ?? blockedReason}
        onClick={() => tasks.toggleAt(selected)}
      >
        {boundary > 0 ? 'Merge with previous task' : 'Start a task here'}
      </Button>
      {tasks.canUndo ? (
        <IconButton size="small" icon={Undo2} label="Undo the latest boundary change" reason={offline} onClick={tasks.undo} />
      ) : null}
      {tasks.userCutCount > 0 ? (
        <IconButton size="small" icon={RotateCcw} label="Reset task boundaries" reason={offline} onClick={tasks.reset} />
      ) : null}
    </div>
  )
}
