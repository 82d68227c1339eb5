import { useMemo, useState } from 'react'
import type { ChangedFile, ReviewComment, Task } from '#contracts/entities/task.ts'
import { useReviewActions, useTaskChange } from '#renderer/api/tasks.ts'
import { useKeys } from '#renderer/app/use-keys.ts'
import { hasEnded } from '#renderer/app/words/tasks.ts'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { Handle, Pane, Split } from '#renderer/ui/splitter.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { FileChange } from './file-change.tsx'
import { FileTree } from './file-tree.tsx'
import { HandBack } from './hand-back.tsx'
import { hunkKey, partsOf, setLeftOut, takenOf, useLeftOut, withParts } from './left-out.ts'
import { inTreeOrder } from './tree.ts'

/** The change an agent made: the user reads it, comments on it and hands it back, hunk by hunk. */
export function Review({ task }: { task: Task }) {
  const hasChange = task.change !== null && task.change.files > 0
  const change = useTaskChange(task.id, hasChange)
  if (!hasChange) {
    return (
      <EmptyState title={hasEnded(task) ? 'Nothing to review' : 'No change yet'}>
        {!hasEnded(task)
          ? 'The changes of the agent appear here once it has ended.'
          : task.change === null
            ? 'This task left no result. Its steps and terminal show what it did.'
            : 'The agent changed no file.'}
      </EmptyState>
    )
  }
  if (change.data) return <Loaded task={task} files={change.data.files} comments={change.data.comments} />
  return (
    <div className="p-6">
      <Fetched query={change} what="change" bars={['h-64 w-full', 'h-96 w-full']}>
        {() => null}
      </Fetched>
    </div>
  )
}

function Loaded({ task, files: unordered, comments }: { task: Task; files: readonly ChangedFile[]; comments: readonly ReviewComment[] }) {
  const files = useMemo(() => inTreeOrder(unordered), [unordered])
  const [search, change] = useSearchState()
  const left = useLeftOut(task.id)
  const { review } = useReviewActions(task.id)
  const fileIndex = Math.max(0, files.findIndex(({ path }) => path === search.get('file'))) // prettier-ignore
  const file = files[fileIndex]
  const [hunkAt, setHunkAt] = useState(0)
  const [commentAt, setCommentAt] = useState<number | null | 'none'>('none')
  const showFile = (index: number, hunk: 'first' | 'last' = 'first') => {
    const next = files[index]
    if (!next) return false
    change({ file: next.path }, { replace: true })
    setHunkAt(hunk === 'first' ? 0 : Math.max(0, next.hunks.length - 1))
    setCommentAt('none')
    return true
  }
  const hunk = file?.hunks[hunkAt]
  const setTaken = (parts: readonly string[], isTaken: boolean) => setLeftOut(task.id, withParts(left, parts, isTaken))
  const markRead = (path: string, isRead: boolean) => review.mutate(isRead ? { read: [path] } : { unread: [path] })
  useKeys({
    next: () => (file && hunkAt < file.hunks.length - 1 ? setHunkAt(hunkAt + 1) : showFile(fileIndex + 1)),
    previous: () => (hunkAt > 0 ? setHunkAt(hunkAt - 1) : showFile(fileIndex - 1, 'last')),
    nextFile: () => showFile(fileIndex + 1),
    previousFile: () => showFile(fileIndex - 1),
    select: () => {
      if (!file) return
      const parts = hunk && partsOf(file).length > 1 ? [hunkKey(file.path, hunk.id)] : partsOf(file)
      setTaken(parts, parts.some((part) => left.has(part))) // prettier-ignore
    },
    readFile: () => file && markRead(file.path, !file.isRead),
    commentLine: () => setCommentAt(hunk?.lines.find(({ kind, after }) => kind === 'added' && after !== null)?.after ?? null),
    back: () => (commentAt === 'none' ? false : setCommentAt('none')),
  })
  return (
    <>
      <HandBack task={task} files={files} left={left} comments={comments} />
      <Split id="review" panelIds={['files', 'diff']}>
        <Pane id="files" minSize="180px" defaultSize="26%">
          <FileTree
            files={files}
            current={file?.path ?? null}
            left={left}
            onShow={(path) => showFile(files.findIndex((one) => one.path === path))}
            onTake={(one) => setTaken(partsOf(one), takenOf(one, left) !== 'all')}
          />
        </Pane>
        <Handle label="Resize the files" />
        <Pane id="diff" minSize="360px">
          {file ? (
            <FileChange
              key={file.path}
              file={file}
              comments={comments.filter(({ path }) => path === file.path)}
              left={left}
              hunkAt={hunkAt}
              commentAt={commentAt}
              onHunk={setHunkAt}
              onTake={setTaken}
              onRead={(isRead) => markRead(file.path, isRead)}
              onCommentAt={setCommentAt}
              onComment={(line, text) =>
                review.mutate({ addComment: { path: file.path, line, text } }, { onSuccess: () => setCommentAt('none') })
              }
              onRemoveComment={(id) => review.mutate({ removeComment: id })}
              isSaving={review.isPending}
            />
          ) : null}
        </Pane>
      </Split>
    </>
  )
}
