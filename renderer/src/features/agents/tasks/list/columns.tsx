import type { Task } from '#contracts/entities/task.ts'
import { taskHref } from '#renderer/app/links.ts'
import { CHECK_WORDS, checkSentence } from '#renderer/app/words/checks.ts'
import { elapsedMs, hasEnded, repositoryWord, TASK_AGENTS } from '#renderer/app/words/tasks.ts'
import { cn } from '#renderer/ui/cn.ts'
import { formatBytes, formatDuration, formatUsd } from '#renderer/ui/format.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import type { CellColumn } from '#renderer/ui/lists/cell-columns.ts'
import { MiddleCut } from '#renderer/ui/middle-cut.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { Unknown } from '#renderer/ui/unknown.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { StateWord } from '../state-mark.tsx'

const TONE_CLASSES = { ok: 'text-ok', bad: 'text-bad', warn: 'text-warn', neutral: 'text-second' } as const

export const COLUMNS: readonly CellColumn<Task>[] = [
  { id: 'state', label: 'State', width: 128, leaves: null, cell: (task) => <StateWord task={task} /> },
  {
    id: 'title',
    label: 'Title',
    width: 200,
    grows: true,
    leaves: null,
    cell: (task) => (
      <span className="flex min-w-0 items-baseline gap-2">
        <span className="shrink-0 font-mono text-xs text-second">{task.no}</span>
        <TextLink href={taskHref(task.id)} className="min-w-0 truncate no-underline! hover:underline!">
          <Visible text={task.title} />
        </TextLink>
      </span>
    ),
  },
  {
    id: 'repository',
    label: 'Repository',
    width: 120,
    leaves: 6,
    cell: ({ request }) => {
      const word = repositoryWord(request)
      return word === null ? (
        <span className="text-xs text-second">empty folder</span>
      ) : (
        <span className="block truncate text-xs" title={request.directory ?? request.repositoryUrl}>
          <Visible text={word} />
        </span>
      )
    },
  },
  { id: 'agent', label: 'Agent', width: 108, leaves: 8, cell: ({ request }) => TASK_AGENTS[request.agent].label },
  {
    id: 'model',
    label: 'Model',
    width: 130,
    leaves: 7,
    cell: ({ model }) => (model === null ? <Unknown why="Not known yet." /> : <MiddleCut text={model} className="text-xs" />),
  },
  {
    id: 'verdict',
    label: 'Checks',
    width: 116,
    leaves: 2,
    cell: ({ verification }) =>
      verification === null ? (
        <Unknown why="The checks have not run." />
      ) : (
        <span className={cn('block truncate', TONE_CLASSES[CHECK_WORDS[verification.status].tone])} title={checkSentence(verification)}>
          {CHECK_WORDS[verification.status].word}
        </span>
      ),
  },
  {
    id: 'change',
    label: 'Change',
    width: 96,
    numeric: true,
    leaves: 3,
    cell: (task) =>
      task.change === null ? (
        <Unknown why={hasEnded(task) ? 'The task left no result.' : 'Known once the task has ended.'} />
      ) : (
        <DiffCount added={task.change.added} removed={task.change.removed} />
      ),
  },
  {
    id: 'cost',
    label: 'Cost',
    width: 76,
    numeric: true,
    leaves: 4,
    cell: ({ costUsd }) => (costUsd === null ? <Unknown why="No price is known, or no request was sent." /> : formatUsd(costUsd)),
  },
  { id: 'time', label: 'Time', width: 84, numeric: true, leaves: 1, cell: (task) => <Elapsed task={task} /> },
  {
    id: 'disk',
    label: 'Disk',
    width: 80,
    numeric: true,
    leaves: 9,
    cell: ({ diskBytes }) => (diskBytes === null ? <Unknown why="Not measured." /> : formatBytes(diskBytes)),
  },
  {
    id: 'created',
    label: 'Created',
    width: 92,
    numeric: true,
    leaves: 5,
    cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" />,
  },
]

function Elapsed({ task }: { task: Task }) {
  const now = useNow(task.startedAt !== null && !hasEnded(task))
  return task.startedAt === null ? <Unknown why="Not started." /> : <>{formatDuration(elapsedMs(task, now))}</>
}
