import type { ShellTaskItem } from '#contracts/entities/shell-task.ts'
import { shellTaskHref } from '#renderer/app/links.ts'
import { Badge } from '#renderer/ui/badge.tsx'
import { DASH } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import type { CellColumn } from '#renderer/ui/lists/cell-columns.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { SOURCE_WORDS, STATUS_WORDS } from './words.ts'

export const COLUMNS: readonly CellColumn<ShellTaskItem>[] = [
  { id: 'status', label: 'Validation', width: 120, leaves: null, cell: ({ validation }) => <StatusBadge status={validation?.status ?? 'none'} /> },
  {
    id: 'task',
    label: 'Task',
    width: 240,
    grows: true,
    leaves: null,
    cell: ({ id, task }) => (
      <TextLink href={shellTaskHref(id)} className="block truncate no-underline! hover:underline!">
        <Visible text={task.split('\n')[0] ?? ''} />
      </TextLink>
    ),
  },
  { id: 'split', label: 'Split', width: 130, leaves: 1, cell: (task) => <span className="truncate font-mono text-xs">{splitWord(task)}</span> },
  { id: 'difficulty', label: 'Difficulty', width: 84, numeric: true, leaves: 0, cell: ({ difficulty }) => difficulty ?? DASH },
  { id: 'source', label: 'Source', width: 110, leaves: 2, cell: ({ source }) => SOURCE_WORDS[source] },
  { id: 'id', label: 'Id', width: 140, leaves: 4, cell: ({ id }) => <MiddleCut text={id} className="font-mono text-xs text-second" /> },
  { id: 'created', label: 'Added', width: 92, numeric: true, leaves: 3, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
] // prettier-ignore

const splitWord = ({ split, isHeldOut }: ShellTaskItem): string => (isHeldOut ? `${split} (held out)` : split)

export function StatusBadge({ status }: { status: keyof typeof STATUS_WORDS }) {
  const { label, tone, description } = STATUS_WORDS[status]
  return (
    <span title={description}>
      <Badge tone={tone}>{label}</Badge>
    </span>
  )
}
