import { Hand, Pause, Play, Repeat, Square, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import type { Task } from '#contracts/entities/task.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useRemoveTasks, useTaskActions } from '#renderer/api/tasks.ts'
import { profileHref, batchHref, traceHref } from '#renderer/app/links.ts'
import { hasEnded, repositoryWord, stateDetail, stateLine, TASK_AGENTS, usageOf } from '#renderer/app/words/tasks.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { TextLink } from '#renderer/ui/link.tsx'
import { Meter } from '#renderer/ui/meter.tsx'
import { Above, PageHead } from '#renderer/ui/page.tsx'
import { Segmented } from '#renderer/ui/segmented.tsx'
import { useNow } from '#renderer/ui/use-now.ts'
import { useSearchState } from '#renderer/ui/use-search.ts'
import { Visible } from '#renderer/ui/visible.tsx'
import { ALL_TASKS } from '../all-tasks.ts'
import { RemoveDialog } from '../remove-dialog.tsx'
import { StateBadge } from '../state-mark.tsx'

/** The state of the run, how much of its limits it has used, and its actions; always visible at the top. */
export function Head({ task, tab }: { task: Task; tab: 'work' | 'review' }) {
  const [, change] = useSearchState()
  useAnnounce(`${task.title}: ${stateLine(task)}`)
  return (
    <PageHead
      trail={
        <>
          <Parent href={ALL_TASKS.href} label="Tasks" />
          {task.request.batchId === undefined ? null : <Parent href={batchHref(task.request.batchId)} label="Batch" />}
        </>
      }
      heading={<Visible text={task.title} />}
      marks={<StateBadge task={task} />}
      summary={agentLine(task)}
      actions={<TaskActions task={task} />}
    >
      <p className="text-sm text-second">{stateDetail(task)}</p>
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-2">
        <Usage task={task} />
        <Segmented
          label="Part"
          value={tab}
          options={[
            { id: 'work', label: 'Work' },
            { id: 'review', label: task.change === null ? 'Review' : `Review (${task.change.files})` },
          ]}
          onChange={(next) => change({ tab: next === 'work' ? null : next }, { replace: true })}
        />
      </div>
    </PageHead>
  )
}

const Parent = ({ href, label }: { href: string; label: string }) => (
  <Above>
    <TextLink href={href}>{label}</TextLink>
  </Above>
)

const agentLine = ({ request, model, agentVersion }: Task): string =>
  [
    `${TASK_AGENTS[request.agent].label}${agentVersion === null ? '' : ` ${agentVersion}`}`,
    model,
    repositoryWord(request) ?? 'empty folder',
  ]
    .filter(Boolean)
    .join(' · ')

function Usage({ task }: { task: Task }) {
  const now = useNow(task.startedAt !== null && !hasEnded(task))
  return (
    <ul aria-label="Used" className="flex flex-wrap gap-x-6 gap-y-1 text-xs">
      {usageOf(task, now).map(({ id, label, used, of, share }) => (
        <li key={id} className="flex w-40 flex-col gap-1 whitespace-nowrap">
          <div className="flex justify-between gap-2">
            <span className="text-second">{label}</span>
            <span className="font-mono">
              {used}
              {of === null ? '' : ` / ${of}`}
            </span>
          </div>
          {share === null ? null : (
            <Meter
              label={`${label} used`}
              value={share}
              tone={share >= 0.9 ? 'warn' : 'accent'}
              text={`${used} of ${of ?? 'no limit'}`}
              className="h-1"
            />
          )}
        </li>
      ))}
    </ul>
  )
}

function TaskActions({ task }: { task: Task }) {
  const [, go] = useLocation()
  const [isConfirming, setConfirming] = useState(false)
  const offline = useOfflineReason()
  const { stop, interrupt, pause, resume } = useTaskActions(task.id)
  const remove = useRemoveTasks(() => go(ALL_TASKS.href))
  const runAgainButton = (
    <Button icon={Repeat} onClick={() => go(`/agents/tasks/new?from=${task.id}`)}>
      Run again …
    </Button>
  )
  const stopButton = (
    <Button icon={Square} look="danger" reason={offline} busy={stop.isPending} onClick={() => stop.mutate()}>
      {stop.isPending ? 'Stopping …' : 'Stop'}
    </Button>
  )
  if (task.state === 'paused') {
    return (
      <div className="flex flex-wrap gap-2">
        <Button icon={Play} look="primary" reason={offline} busy={resume.isPending} onClick={() => resume.mutate()}>
          Resume
        </Button>
        {runAgainButton}
        {stopButton}
      </div>
    )
  }
  if (hasEnded(task)) {
    return (
      <div className="flex flex-wrap gap-2">
        {task.traceId === null ? null : (
          <>
            <Button onClick={() => go(traceHref(task.traceId!))}>Open trace</Button>
            <Button onClick={() => go(profileHref(task.traceId!))}>Profile</Button>
          </>
        )}
        {runAgainButton}
        <Button icon={Trash2} look="danger" reason={offline} busy={remove.isPending} onClick={() => setConfirming(true)}>
          Remove …
        </Button>
        <RemoveDialog
          tasks={[task]}
          open={isConfirming}
          onOpenChange={setConfirming}
          onRemove={(force) => remove.mutate({ ids: [task.id], force })}
        />
      </div>
    )
  }
  return (
    <div className="flex flex-wrap gap-2">
      {runAgainButton}
      {task.state === 'working' || task.state === 'waiting' ? (
        <Button icon={Hand} reason={offline} busy={interrupt.isPending} onClick={() => interrupt.mutate()}>
          Interrupt
        </Button>
      ) : null}
      {task.state === 'queued' ? null : (
        <Button icon={Pause} reason={offline} busy={pause.isPending} onClick={() => pause.mutate()}>
          Pause
        </Button>
      )}
      {stopButton}
    </div>
  )
}
