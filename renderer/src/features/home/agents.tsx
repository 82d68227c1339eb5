import { Link } from 'wouter'
import { useTasks } from '#renderer/api/tasks.ts'
import { taskHref } from '#renderer/app/links.ts'
import { hasEnded, stateDetail, stateLine, TASK_STATES } from '#renderer/app/words/tasks.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

const MAX_ROWS = 6

/** Agent runs that need the user, then running ones, then those that ended since the last visit. Hidden if no agent ever ran. */
export function Agents({ lastVisitAt }: { lastVisitAt: string | null }) {
  const tasks = useTasks({}).data?.pages[0]?.items ?? []
  const waitingForUser = tasks.filter(({ state }) => state === 'needs_you' || state === 'paused' || state === 'review')
  const running = tasks.filter((task) => !hasEnded(task) && task.state !== 'needs_you')
  const ended = tasks.filter(
    ({ state, endedAt }) =>
      state !== 'paused' && endedAt !== null && (lastVisitAt === null || Date.parse(endedAt) > Date.parse(lastVisitAt)),
  )
  const rows = [...new Set([...waitingForUser, ...running, ...ended])].slice(0, MAX_ROWS)
  if (tasks.length === 0) return null
  return (
    <Section
      title="Agents"
      note={lastVisitAt === null ? null : `${plural(ended.length, 'task')} ended since your last visit`}
      actions={
        <TextLink href="/agents" className="text-sm">
          All tasks
        </TextLink>
      }
    >
      {rows.length === 0 ? <p className="text-sm text-second">No agent is running, and none needs you.</p> : null}
      <ul className="flex flex-col">
        {rows.map((task) => {
          const { icon: Icon, ink } = TASK_STATES[task.state]
          return (
            <li key={task.id}>
              <Link
                href={taskHref(task.id)}
                className="focus-inset flex h-(--row) items-center gap-2 rounded px-1 text-sm hover:bg-raised"
                title={stateDetail(task)}
              >
                <Icon size={14} aria-hidden className={cn('shrink-0', ink)} />
                <span className="min-w-0 flex-1 truncate">
                  <Visible text={task.title} />
                </span>
                {task.change === null ? null : <DiffCount added={task.change.added} removed={task.change.removed} />}
                {task.costUsd === null ? null : <span className="font-mono text-xs text-second">{formatUsd(task.costUsd)}</span>}
                <span className={cn('text-xs whitespace-nowrap', ink)}>{stateLine(task)}</span>
              </Link>
            </li>
          )
        })}
      </ul>
    </Section>
  )
}
