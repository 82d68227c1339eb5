import { X } from 'lucide-react'
import { useState } from 'react'
import type { ReviewComment } from '#contracts/entities/task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { TextArea } from '#renderer/ui/field.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

/** A comment on a line, and whether it was sent to the agent. */
export function CommentCard({ comment, onRemove }: { comment: ReviewComment; onRemove: () => void }) {
  const offline = useOfflineReason()
  return (
    <div className="flex items-start gap-2 rounded-sm border border-line bg-panel p-2 text-sm">
      <div className="min-w-0 flex-1">
        <p className="break-words whitespace-pre-wrap">
          <Visible text={comment.text} />
        </p>
        <p className="text-xs text-second">
          {comment.line === null ? 'on the file' : `line ${comment.line}`},{' '}
          {comment.sentAt === null ? (
            'not sent yet'
          ) : (
            <>
              sent <RelativeTime at={comment.sentAt} />
            </>
          )}
        </p>
      </div>
      <IconButton size="small" icon={X} label="Remove comment" reason={offline} onClick={onRemove} />
    </div>
  )
}

/** The field for a new comment. Esc discards it. */
export function CommentBox({ isSaving, onSave, onCancel }: { isSaving: boolean; onSave: (text: string) => void; onCancel: () => void }) {
  const [text, setText] = useState('')
  const offline = useOfflineReason()
  const words = text.trim()
  const reason = offline ?? (words === '' ? 'Write the comment first.' : null)
  return (
    <div className="flex flex-col gap-2">
      <TextArea
        aria-label="Comment"
        rows={2}
        // oxlint-disable-next-line jsx-a11y/no-autofocus -- opened by a key or a click
        autoFocus
        value={text}
        onChange={setText}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onCancel()
          if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && reason === null) onSave(words)
        }}
      />
      <div className="flex gap-2">
        <Button size="small" reason={reason} busy={isSaving} onClick={() => onSave(words)}>
          Save comment
        </Button>
        <Button size="small" look="quiet" onClick={onCancel}>
          Cancel
        </Button>
      </div>
    </div>
  )
}
