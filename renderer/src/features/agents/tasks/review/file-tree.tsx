import { Check } from 'lucide-react'
import type { ChangedFile } from '#contracts/entities/task.ts'
import { Checkbox } from '#renderer/ui/checkbox.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { plural } from '#renderer/ui/format.ts'
import { Visible, visible } from '#renderer/ui/visible.tsx'
import { takenOf } from './left-out.ts'
import { foldersOf, nameOf } from './tree.ts'
import { STATUS_WORDS } from './words.ts'

/** Changed files by folder: the size of each change, whether it was read, and whether it will be handed back. */
export function FileTree({
  files,
  current,
  left,
  onShow,
  onTake,
}: {
  files: readonly ChangedFile[]
  current: string | null
  left: ReadonlySet<string>
  onShow: (path: string) => void
  onTake: (file: ChangedFile) => void
}) {
  const readCount = files.filter(({ isRead }) => isRead).length
  return (
    <nav aria-label="Changed files" className="flex min-h-0 flex-1 flex-col">
      <p className="border-b border-line px-3 py-1.5 text-xs text-second">
        {plural(files.length, 'file')}, {readCount} viewed
      </p>
      <div className="min-h-0 flex-1 overflow-y-auto py-1">
        {foldersOf(files).map(({ folder, files: filesInFolder }) => (
          <section key={folder} aria-label={folder === '' ? 'Top folder' : folder}>
            {folder === '' ? null : (
              <h3 className="truncate px-3 pt-1 font-mono text-xs text-second" title={visible(folder)}>
                <Visible text={folder} />/
              </h3>
            )}
            <ul>
              {filesInFolder.map((file) => (
                <FileLine
                  key={file.path}
                  file={file}
                  isCurrent={file.path === current}
                  taken={takenOf(file, left)}
                  onShow={() => onShow(file.path)}
                  onTake={() => onTake(file)}
                />
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  )
}

function FileLine({
  file,
  isCurrent,
  taken,
  onShow,
  onTake,
}: {
  file: ChangedFile
  isCurrent: boolean
  taken: ReturnType<typeof takenOf>
  onShow: () => void
  onTake: () => void
}) {
  const name = nameOf(file.path)
  return (
    <li className={cn('flex items-center gap-1 pr-2 pl-2', isCurrent && 'bg-raised')}>
      <Checkbox
        label={`Take ${file.path}`}
        checked={taken === 'all' ? true : taken === 'some' ? 'indeterminate' : false}
        onChange={onTake}
      />
      <button
        type="button"
        aria-current={isCurrent || undefined}
        onClick={onShow}
        className="focus-inset flex min-h-7 min-w-0 flex-1 items-center gap-2 rounded-sm text-left text-sm hover:text-accent"
      >
        <span
          className={cn(
            'min-w-0 flex-1 truncate font-mono text-xs',
            file.isRead ? 'text-second' : 'font-semibold',
            taken === 'none' && 'line-through',
          )}
          title={visible(file.path)}
        >
          <Visible text={name} />
        </span>
        <span className="text-xs text-second" title={STATUS_WORDS[file.status].description}>
          {STATUS_WORDS[file.status].sign}
        </span>
        {file.added === null || file.removed === null ? (
          <span className="text-xs text-second">{file.kind}</span>
        ) : (
          <DiffCount added={file.added} removed={file.removed} />
        )}
        {file.isRead ? <Check size={14} aria-label="viewed" className="shrink-0 text-second" /> : <span className="w-3.5 shrink-0" />}
      </button>
    </li>
  )
}
