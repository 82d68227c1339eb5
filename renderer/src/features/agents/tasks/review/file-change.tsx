import { Check, MessageSquarePlus } from 'lucide-react'
import { useEffect, useRef } from 'react'
import type { ChangedFile, ReviewComment } from '#contracts/entities/task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { keyOf } from '#renderer/app/keymap.ts'
import { Button } from '#renderer/ui/button.tsx'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { ScrollRegion } from '#renderer/ui/scroll-region.tsx'
import { CommentBox, CommentCard } from './comments.tsx'
import { Hunk } from './hunk.tsx'
import { hunkKey, partsOf } from './left-out.ts'
import { remarksOf } from './words.ts'

export type CommentAt = number | null | 'none'

interface Props {
  file: ChangedFile
  comments: readonly ReviewComment[]
  left: ReadonlySet<string>
  hunkAt: number
  /** Line of the new comment; null: the whole file. */
  commentAt: CommentAt
  onHunk: (index: number) => void
  onTake: (parts: readonly string[], isTaken: boolean) => void
  onRead: (isRead: boolean) => void
  onCommentAt: (at: CommentAt) => void
  onComment: (line: number | null, text: string) => void
  onRemoveComment: (id: string) => void
  isSaving: boolean
}

export function FileChange(props: Props) {
  const { file, comments, left, hunkAt, commentAt, onHunk, onTake, onRead, onCommentAt, onComment, onRemoveComment, isSaving } = props
  const offline = useOfflineReason()
  const scroller = useRef<HTMLDivElement>(null)
  useEffect(() => {
    scroller.current?.querySelector(`[data-hunk="${hunkAt}"]`)?.scrollIntoView({ block: 'nearest' })
  }, [hunkAt])
  const visibleLines = new Set(file.hunks.flatMap(({ lines }) => lines.flatMap(({ after }) => (after === null ? [] : [after]))))
  const commentsAbove = comments.filter(({ line }) => line === null || !visibleLines.has(line))
  const isUndividable = partsOf(file).length === 1 && (file.isShortened || file.hunks.length === 0)
  const commentBox = (line: number | null) => (
    <CommentBox isSaving={isSaving} onCancel={() => onCommentAt('none')} onSave={(text) => onComment(line, text)} />
  )
  return (
    <section aria-label={`Change of ${file.path}`} className="flex min-h-0 flex-1 flex-col">
      <header className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-3 py-1.5">
        <h2 className="min-w-40 flex-1 text-sm">
          <MiddleCut text={file.path} end={28} className="font-mono text-xs font-semibold" />
          <span className="text-xs text-second">{remarksOf(file).join(', ')}</span>
        </h2>
        <Button size="small" icon={MessageSquarePlus} keys={keyOf('commentLine')} reason={offline} onClick={() => onCommentAt(null)}>
          Comment
        </Button>
        <Button
          size="small"
          icon={Check}
          keys={keyOf('readFile')}
          aria-pressed={file.isRead}
          reason={offline}
          onClick={() => onRead(!file.isRead)}
        >
          {file.isRead ? 'Viewed' : 'Mark as viewed'}
        </Button>
      </header>
      <ScrollRegion ref={scroller} label="Hunks" className="relative flex min-h-0 flex-1 flex-col gap-3 overflow-auto p-3">
        {commentsAbove.map((comment) => (
          <CommentCard key={comment.id} comment={comment} onRemove={() => onRemoveComment(comment.id)} />
        ))}
        {commentAt === null ? commentBox(null) : null}
        {file.hunks.length === 0 ? (
          <p className="text-sm text-second">
            {file.kind === 'binary' ? 'The file is not text, so no lines are shown.' : 'No lines changed.'}
          </p>
        ) : null}
        {file.hunks.map((hunk, index) => (
          <Hunk
            key={hunk.id}
            index={index}
            hunk={hunk}
            isCurrent={index === hunkAt}
            isTaken={!left.has(isUndividable ? hunkKey(file.path, '') : hunkKey(file.path, hunk.id))}
            onTake={isUndividable ? null : (isTaken) => onTake([hunkKey(file.path, hunk.id)], isTaken)}
            onPress={() => onHunk(index)}
            onLine={(line) => onCommentAt(line)}
            below={(line) => (
              <>
                {comments
                  .filter((comment) => comment.line === line)
                  .map((comment) => (
                    <CommentCard key={comment.id} comment={comment} onRemove={() => onRemoveComment(comment.id)} />
                  ))}
                {commentAt === line ? commentBox(line) : null}
              </>
            )}
            hasBelow={(line) => commentAt === line || comments.some((comment) => comment.line === line)}
          />
        ))}
      </ScrollRegion>
    </section>
  )
}
