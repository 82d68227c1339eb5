import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRemoveTasks } from '#renderer/api/tasks.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { BulkBar } from '#renderer/ui/lists/bulk-bar.tsx'
import { RemoveDialog } from '../remove-dialog.tsx'

export function TaskBar({ tasks, onClear }: { tasks: readonly Task[]; onClear: () => void }) {
  const [isAsking, setAsking] = useState(false)
  const offline = useOfflineReason()
  const remove = useRemoveTasks(onClear)
  const runningCount = tasks.filter((task) => !hasEnded(task)).length
  return (
    <>
      <BulkBar noun="tasks" count={tasks.length} clearKeys={keyOf('back')} onClear={onClear}>
        <Button
          size="small"
          icon={Trash2}
          reason={
            offline ??
            (runningCount > 0 ? `${plural(runningCount, 'task')} still running. Stop ${runningCount === 1 ? 'it' : 'them'} first.` : null)
          }
          busy={remove.isPending}
          onClick={() => setAsking(true)}
        >
          Remove …
        </Button>
      </BulkBar>
      <RemoveDialog
        tasks={tasks}
        open={isAsking}
        onOpenChange={setAsking}
        onRemove={(force) => remove.mutate({ ids: tasks.map(({ id }) => id), force })}
      />
    </>
  )
}
