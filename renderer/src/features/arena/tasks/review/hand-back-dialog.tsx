import { useId, useState } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Dialog } from '#renderer/ui/dialog.tsx'
import { TextArea, TextInput } from '#renderer/ui/field.tsx'
import { Conflicts } from './conflicts.tsx'

export type How = 'apply' | 'commit' | 'branch'

const WORDS: Record<How, { title: string; description: string; action: string }> = {
  apply: { title: 'Apply the change', description: 'The files are changed; nothing is committed.', action: 'Apply' },
  commit: { title: 'Commit the change', description: 'One commit on the branch that is checked out now.', action: 'Commit' },
  branch: {
    title: 'Put the change on a branch',
    description: 'One commit on a new branch; what is checked out stays as it is.',
    action: 'Create branch',
  },
}

/** What a hand-back still needs to know. */
export function HandBackDialog({
  how,
  task,
  error,
  isBusy,
  onClose,
  onGive,
}: {
  how: How
  task: Task
  error: Error | null
  isBusy: boolean
  onClose: () => void
  onGive: (body: { how: How; message?: string; branch?: string; directory?: string }) => void
}) {
  const [message, setMessage] = useState(task.title)
  const [branch, setBranch] = useState(`task-${task.no}`)
  const [directory, setDirectory] = useState(task.request.directory ?? '')
  const ids = { message: useId(), branch: useId(), directory: useId() }
  const needsFolder = task.request.directory === undefined
  const { title, description, action } = WORDS[how]
  const reason =
    how === 'branch' && branch.trim() === ''
      ? 'Name the branch.'
      : how !== 'apply' && message.trim() === ''
        ? 'Write the message of the commit.'
        : needsFolder && !directory.trim().startsWith('/')
          ? 'Name the folder of the repository, from / on.'
          : null
  return (
    <Dialog
      open
      onOpenChange={(open) => open || onClose()}
      title={title}
      description={description}
      footer={
        <>
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button
            look="primary"
            reason={reason}
            busy={isBusy}
            onClick={() =>
              onGive({
                how,
                ...(how !== 'apply' && { message: message.trim() }),
                ...(how === 'branch' && { branch: branch.trim() }),
                ...(needsFolder && { directory: directory.trim() }),
              })
            }
          >
            {action}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3 pt-2 text-sm">
        {how === 'branch' ? (
          <label htmlFor={ids.branch} className="flex flex-col gap-1">
            Branch
            <TextInput id={ids.branch} className="font-mono" value={branch} onChange={setBranch} />
          </label>
        ) : null}
        {how === 'apply' ? null : (
          <label htmlFor={ids.message} className="flex flex-col gap-1">
            Message
            <TextArea id={ids.message} rows={3} value={message} onChange={setMessage} />
          </label>
        )}
        {needsFolder ? (
          <label htmlFor={ids.directory} className="flex flex-col gap-1">
            Folder of the repository
            <TextInput id={ids.directory} className="font-mono" placeholder="/home/you/project" value={directory} onChange={setDirectory} />
          </label>
        ) : null}
        {error ? <Conflicts title="Nothing was handed back" error={error} /> : null}
      </div>
    </Dialog>
  )
}
