import { ChartLine, GraduationCap, type LucideIcon } from 'lucide-react'
import { Link } from 'wouter'
import { useLoop } from '#renderer/api/loop.ts'
import { useActiveRuns } from '#renderer/api/runs.ts'
import { useTasks } from '#renderer/api/tasks.ts'
import { examRunHref, runHref, taskHref } from '#renderer/app/links.ts'
import { hasEnded, stateDetail, stateLine, TASK_STATES } from '#renderer/app/words/tasks.ts'
import { cn } from '#renderer/ui/cn.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { formatPercent, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { Visible } from '#renderer/ui/visible.tsx'

const MAX_ROWS = 6

/** What trains and takes exams; then agent runs that need the user, running ones, and those that ended since the last visit. */
export function Running({ lastVisitAt }: { lastVisitAt: string | null }) {
  const tasks = useTasks({}).data?.pages[0]?.items ?? []
  const waitingForUser = tasks.filter(({ state }) => state === 'needs_you' || state === 'paused' || state === 'review')
  const running = tasks.filter((task) => !hasEnded(task) && task.state !== 'needs_you')
  const ended = tasks.filter(
    ({ state, endedAt }) =>
      state !== 'paused' && endedAt !== null && (lastVisitAt === null || Date.parse(endedAt) > Date.parse(lastVisitAt)),
  )
  const runs = useActiveRuns().data?.items ?? []
  const exams = useLoop().data?.exams ?? []
  const rows = [...new Set([...waitingForUser, ...running, ...ended])].slice(0, MAX_ROWS)
  return (
    <Section
      title="Running now"
      note={lastVisitAt === null || tasks.length === 0 ? null : `${plural(ended.length, 'task')} ended since your last visit`}
      actions={
        <TextLink href="/agents" className="text-sm">
          All tasks
        </TextLink>
      }
    >
      {rows.length + runs.length + exams.length === 0 ? <p className="text-sm text-second">Nothing runs, and no agent needs you.</p> : null}
      <ul className="flex flex-col">
        {runs.map(({ id, name, state, step, totalSteps }) => (
          <Row
            key={id}
            href={runHref(id)}
            icon={ChartLine}
            title={name}
            state={totalSteps === null || step === 0 ? state : `${state}, ${formatPercent(step / totalSteps)}`}
          />
        ))}
        {exams.map(({ id, examId, title, state }) => (
          <Row key={id} href={examRunHref(examId, id)} icon={GraduationCap} title={title} state={`exam ${state}`} />
        ))}
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

const Row = ({ href, icon: Icon, title, state }: { href: string; icon: LucideIcon; title: string; state: string }) => (
  <li>
    <Link href={href} className="focus-inset flex h-(--row) items-center gap-2 rounded px-1 text-sm hover:bg-raised">
      <Icon size={14} aria-hidden className="shrink-0 text-accent" />
      <span className="min-w-0 flex-1 truncate">
        <Visible text={title} />
      </span>
      <span className="text-xs whitespace-nowrap text-second">{state}</span>
    </Link>
  </li>
)
