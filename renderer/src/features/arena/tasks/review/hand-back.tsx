import { Download, GitBranch, GitCommitHorizontal, Send, Undo2 } from 'lucide-react'
import { useState } from 'react'
import type { ChangedFile, ReviewComment, Task } from '#contracts/entities/task.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useReviewActs } from '#renderer/api/tasks.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { saveFrom } from '#renderer/ui/save-file.ts'
import { Conflicts } from './conflicts.tsx'
import { HandBackDialog, type HandBackBody, type How } from './hand-back-dialog.tsx'
import { partsOf, selectionOf } from './left-out.ts'

/** How much of the change is taken, and buttons that put it into the repository. */
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
  const [asked, setAsked] = useState<How | null>(null)
  const offline = useOfflineReason()
  const { handBack, undo, send } = useReviewActs(task.id)
  const parts = files.flatMap(partsOf)
  const taken = parts.filter((part) => !left.has(part)).length
  const unsent = comments.filter(({ sentAt }) => sentAt === null).length
  const reason = offline ?? (!hasEnded(task) ? 'The agent is still working.' : taken === 0 ? 'Take at least one hunk first.' : null)
  const give = (body: HandBackBody) => {
    const selection = selectionOf(files, left)
    undo.reset()
    handBack.mutate({ ...body, ...(selection && { selection }) }, { onSuccess: () => setAsked(null) })
  }
  const begin = (how: How) => (how === 'apply' && task.request.directory !== undefined ? give({ how }) : setAsked(how))
  const savePatch = () => saveFrom(`task-${task.no}.patch`, "Couldn't save the patch", () => api.readTaskPatch({ params: { id: task.id } }))
  return (
    <div className="flex flex-col gap-2 border-b border-line px-6 py-2">
      <div className="flex flex-wrap items-center gap-2 text-sm">
        <span role="status" className="min-w-40 flex-1 text-second">
          {taken === parts.length ? 'Everything is taken' : `${taken} of ${plural(parts.length, 'part')} taken`}
          {task.handedBack === null ? '. Your repository is unchanged.' : `. ${task.handedBack.detail}`}
        </span>
        {unsent > 0 ? (
          <Button icon={Send} reason={offline} busy={send.isPending} onClick={() => send.mutate()}>
            Send {plural(unsent, 'comment')} to the agent
          </Button>
        ) : null}
        <Button icon={Download} reason={offline} onClick={() => void savePatch()}>
          Save patch
        </Button>
        <Button icon={GitBranch} reason={reason} onClick={() => begin('branch')}>
          Branch …
        </Button>
        <Button icon={GitCommitHorizontal} reason={reason} onClick={() => begin('commit')}>
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
        <Button look="primary" reason={reason} busy={handBack.isPending} onClick={() => begin('apply')}>
          Apply
        </Button>
      </div>
      {asked === null && handBack.error ? <Conflicts title="Nothing was handed back" error={handBack.error} /> : null}
      {undo.error ? <Conflicts title="Nothing was undone" error={undo.error} /> : null}
      {asked === null ? null : (
        <HandBackDialog
          how={asked}
          task={task}
          error={handBack.error}
          isBusy={handBack.isPending}
          onClose={() => setAsked(null)}
          onGive={give}
        />
      )}
    </div>
  )
}
