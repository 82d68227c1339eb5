import type { Task } from '#contracts/entities/task.ts'
import { Confirm } from '#renderer/ui/confirm.tsx'
import { formatBytes, plural } from '#renderer/ui/format.ts'

/** Asks before tasks are removed with their files, and warns about changes that were not handed back. */
export function RemoveDialog({
  tasks,
  open,
  onOpenChange,
  onRemove,
}: {
  tasks: readonly Task[]
  open: boolean
  onOpenChange: (open: boolean) => void
  onRemove: (force: boolean) => void
}) {
  const notHandedBack = tasks.filter(({ change, handedBack }) => change !== null && change.files > 0 && handedBack === null)
  const bytes = tasks.reduce((sum, { diskBytes }) => sum + (diskBytes ?? 0), 0)
  return (
    <Confirm
      open={open}
      onOpenChange={onOpenChange}
      title={`Remove ${plural(tasks.length, 'task')}?`}
      action="Remove"
      onConfirm={() => onRemove(notHandedBack.length > 0)}
    >
      <p>Files of the sandbox are deleted{bytes > 0 ? `, which frees about ${formatBytes(bytes)}` : ''}. The trace is kept.</p>
      {notHandedBack.length > 0 ? (
        <p className="text-warn">
          {notHandedBack.length === 1
            ? `The change of “${notHandedBack[0]!.title}” was`
            : `The changes of ${plural(notHandedBack.length, 'task')} were`}{' '}
          not handed back, and would be lost.
        </p>
      ) : null}
    </Confirm>
  )
}
