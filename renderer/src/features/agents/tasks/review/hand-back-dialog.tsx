import { useId, useState } from 'react'
import type { Task } from '#contracts/entities/task.ts'
import { FolderInput } from '#renderer/app/folder-input.tsx'
import { TextArea, TextField } from '#renderer/ui/field.tsx'
import { FormDialog } from '#renderer/ui/form-dialog.tsx'
import { Conflicts } from './conflicts.tsx'

export type HandBackMethod = 'apply' | 'commit' | 'branch'

export interface HandBackBody {
  how: HandBackMethod
  message?: string
  branch?: string
  directory?: string
}

const WORDS: Record<HandBackMethod, { title: string; description: string; action: string }> = {
  apply: { title: 'Apply the change', description: 'Changes the files without a commit.', action: 'Apply' },
  commit: { title: 'Commit the change', description: 'Adds one commit to the checked-out branch.', action: 'Commit' },
  branch: {
    title: 'Put the change on a branch',
    description: 'Adds one commit on a new branch; the checked-out files stay unchanged.',
    action: 'Create branch',
  },
}

/** Asks for the branch, commit message or repository that a hand-back needs. */
export function HandBackDialog({
  how,
  task,
  error,
  isBusy,
  onClose,
  onGive,
}: {
  how: HandBackMethod
  task: Task
  error: Error | null
  isBusy: boolean
  onClose: () => void
  onGive: (body: HandBackBody) => void
}) {
  const [message, setMessage] = useState(task.title)
  const [branch, setBranch] = useState(`task-${task.no}`)
  const [directory, setDirectory] = useState(task.request.directory ?? '')
  const id = useId()
  const folderId = useId()
  const needsFolder = task.request.directory === undefined
  const { title, description, action } = WORDS[how]
  const reason =
    how === 'branch' && branch.trim() === ''
      ? 'Enter a branch name.'
      : how !== 'apply' && message.trim() === ''
        ? 'Enter a commit message.'
        : needsFolder && !directory.trim().startsWith('/')
          ? 'Enter the absolute path of the repository.'
          : null
  return (
    <FormDialog
      title={title}
      description={description}
      action={action}
      reason={reason}
      busy={isBusy}
      onSubmit={() =>
        onGive({
          how,
          ...(how !== 'apply' && { message: message.trim() }),
          ...(how === 'branch' && { branch: branch.trim() }),
          ...(needsFolder && { directory: directory.trim() }),
        })
      }
      onClose={onClose}
    >
      <div className="flex flex-col gap-3 pt-2 text-sm">
        {how === 'branch' ? <TextField label="Branch" className="font-mono" value={branch} onChange={setBranch} /> : null}
        {how === 'apply' ? null : (
          <div className="flex flex-col gap-1">
            <label htmlFor={id} className="font-semibold">
              Message
            </label>
            <TextArea id={id} rows={3} value={message} onChange={setMessage} />
          </div>
        )}
        {needsFolder ? (
          <div className="flex flex-col gap-1">
            <label htmlFor={folderId} className="font-semibold">
              Folder of the repository
            </label>
            <div className="flex flex-wrap gap-2">
              <FolderInput id={folderId} placeholder="/home/you/project" value={directory} onChange={setDirectory} />
            </div>
          </div>
        ) : null}
        {error ? <Conflicts title="Nothing was handed back" error={error} /> : null}
      </div>
    </FormDialog>
  )
}
