import { Download, GitBranch, GitCommitHorizontal, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ChangedFile, ReviewComment, Task } from '#contracts/entities/task.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useReviewActions } from '#renderer/api/tasks.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { saveFrom } from '#renderer/ui/save-file.ts'
import { Conflicts } from './conflicts.tsx'
import { HandBackDialog, type HandBackBody, type HandBackMethod } from './hand-back-dialog.tsx'
import { partsOf, selectionOf } from './left-out.ts'

/** Buttons that put the selected parts of the change into the repository. */
export function HandBack({
  task,
  files,
  left,
  comments,
}: {
  task: Task
  files: readonly ChangedFile[]
  left: ReadonlySet<string>
  comments: readonly ReviewComment[]
}) {
  const [openMethod, setOpenMethod] = useState<HandBackMethod | null>(null)
  const offline = useOfflineReason()
  const { handBack, undo, send } = useReviewActions(task.id)
  const parts = files.flatMap(partsOf)
  const takenCount = parts.filter((part) => !left.has(part)).length
  const unsentCount = comments.filter(({ sentAt }) => sentAt === null).length
  const reason =
    offline ?? (!hasEnded(task) ? 'The agent is still working.' : takenCount === 0 ? 'Select at least one change first.' : null)
  const selection = selectionOf(files, left)
  const startHandBack = (body: HandBackBody) => {
    undo.reset()
    handBack.mutate({ ...body, ...(selection && { selection }) }, { onSuccess: () => setOpenMethod(null) })
  }
  const chooseMethod = (how: HandBackMethod) =>
    how === 'apply' && task.request.directory !== undefined ? startHandBack({ how }) : setOpenMethod(how)
  const savePatch = () =>
    saveFrom(`task-${task.no}.patch`, "Couldn't save the patch", () => {
      const params = { id: task.id }
      return selection === undefined ? api.readTaskPatch({ params }) : api.selectTaskPatch({ params, body: { selection } })
    })
  return (
    <div className="flex flex-col gap-2 border-b border-line px-6 py-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span role="status" className="min-w-40 flex-1 text-second">
          {takenCount === parts.length ? 'All changes selected' : `${takenCount} of ${plural(parts.length, 'change')} selected`}
          {task.handedBack === null ? '. Your repository is unchanged.' : `. ${task.handedBack.detail}`}
        </span>
        {unsentCount > 0 ? (
          <Button icon={Send} reason={offline} busy={send.isPending} onClick={() => send.mutate()}>
            Send {plural(unsentCount, 'comment')} to the agent
          </Button>
        ) : null}
        <Button
          icon={Download}
          reason={offline ?? (takenCount === 0 ? 'Select at least one change first.' : null)}
          onClick={() => void savePatch()}
        >
          {takenCount === parts.length || takenCount === 0 ? 'Save patch' : `Save patch of ${plural(takenCount, 'change')}`}
        </Button>
        <Button icon={GitBranch} reason={reason} onClick={() => chooseMethod('branch')}>
          Branch …
        </Button>
        <Button icon={GitCommitHorizontal} reason={reason} onClick={() => chooseMethod('commit')}>
          Commit …
        </Button>
        {task.handedBack?.canUndo ? (
          <Button
            icon={Undo2}
            reason={offline}
            busy={undo.isPending}
            onClick={() => {
              handBack.reset()
              undo.mutate()
            }}
          >
            Undo
          </Button>
        ) : null}
        <Button look="primary" reason={reason} busy={handBack.isPending} onClick={() => chooseMethod('apply')}>
          Apply
        </Button>
      </div>
      {openMethod === null && handBack.error ? <Conflicts title="Nothing was handed back" error={handBack.error} /> : null}
      {undo.error ? <Conflicts title="Nothing was undone" error={undo.error} /> : null}
      {openMethod === null ? null : (
        <HandBackDialog
          how={openMethod}
          task={task}
          error={handBack.error}
          isBusy={handBack.isPending}
          onClose={() => setOpenMethod(null)}
          onGive={startHandBack}
        />
      )}
    </div>
  )
}
