import { Star } from 'lucide-react'
import type { ReactNode } from 'react'
import type { BatchResult } from '#contracts/entities/batch.ts'
import { taskHref } from '#renderer/app/links.ts'
import { TASK_BOUNDARIES } from '#renderer/app/words/tasks.ts'
import { Button } from '#renderer/ui/button.tsx'
import { cn } from '#renderer/ui/cn.ts'
import { DiffCount } from '#renderer/ui/diff-lines.tsx'
import { formatCount, formatDuration, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { StateWord } from '../tasks/state-mark.tsx'
import type { AttemptOf } from './task-rows.ts'
import { OUTCOMES } from './words.ts'

/** The state or outcome of one attempt at a task. */
export function Attempt({
  taskKey,
  attempt,
  of,
  isBatchRunning,
  best,
}: {
  taskKey: string
  attempt: number
  of: AttemptOf | null
  isBatchRunning: boolean
  /** Null if the task has only one attempt, so there is nothing to choose. */
  best: { taskId: string | null; choose: (taskId: string | null) => void } | null
}) {
  if (of === null) return <span className="text-xs text-second">{isBatchRunning ? 'Waiting' : 'Not started'}</span>
  const name = `${taskKey}, attempt ${attempt}`
  if (of.kind === 'run')
    return (
      <Opens id={of.run.id}>
        <StateWord task={of.run} />
        <span className="sr-only">{name}</span>
      </Opens>
    )
  const { result } = of
  return (
    <span className="flex min-w-28 flex-col gap-0.5 text-xs whitespace-nowrap">
      <Verdict result={result} name={name} />
      {result.taskId === null ? (
        <span className="max-w-60 whitespace-normal text-second">{result.message}</span>
      ) : (
        <Measured result={result} />
      )}
      {best !== null && result.outcome === 'passed' && result.taskId !== null ? (
        <Best name={name} isChosen={best.taskId === result.taskId} onChoose={(isChosen) => best.choose(isChosen ? result.taskId : null)} />
      ) : null}
    </span>
  )
}

function Best({ name, isChosen, onChoose }: { name: string; isChosen: boolean; onChoose: (isChosen: boolean) => void }) {
  return (
    <Button
      size="small"
      aria-pressed={isChosen}
      title="Preferred to attempts whose checks failed: Pairs lists these pairs, and data sets for DPO include them"
      className="mt-1 self-start"
      onClick={() => onChoose(!isChosen)}
    >
      {isChosen ? <Star size={12} aria-hidden className="fill-current" /> : null}
      {isChosen ? 'Best attempt' : 'Choose as best'}
      <span className="sr-only">{name}</span>
    </Button>
  )
}

function Verdict({ result: { outcome, taskId, boundary, message }, name }: { result: BatchResult; name: string }) {
  const { icon: Icon, ink, label, description } = OUTCOMES[outcome]
  const why = [boundary !== null && boundary !== 'task' && `${TASK_BOUNDARIES[boundary]}.`, message ?? description]
    .filter(Boolean)
    .join(' ')
  const word = (
    <span className={cn('flex items-center gap-1.5', ink)} title={why}>
      <Icon size={14} aria-hidden className="shrink-0" />
      {label}
      <span className="sr-only">{name}</span>
    </span>
  )
  return taskId === null ? word : <Opens id={taskId}>{word}</Opens>
}

const Opens = ({ id, children }: { id: string; children: ReactNode }) => (
  <TextLink href={taskHref(id)} className="self-start text-xs no-underline! hover:underline!">
    {children}
  </TextLink>
)

/** Tests, change, cost and time of an attempt; omits what was not measured. */
function Measured({ result: { checks, change, costUsd, durationMs } }: { result: BatchResult }) {
  const used = [costUsd === null ? null : formatUsd(costUsd), durationMs === null ? null : formatDuration(durationMs)].filter(Boolean)
  return (
    <>
      <span className="flex items-baseline gap-2">
        {checks === null ? null : (
          <span className="text-second">
            {formatCount(checks.passed)} of {plural(checks.total, 'test')}
          </span>
        )}
        {change === null ? null : (
          <span className="text-second">{change.files === 0 ? 'nothing changed' : plural(change.files, 'file')}</span>
        )}
        {change === null || change.files === 0 ? null : <DiffCount added={change.added} removed={change.removed} />}
      </span>
      <span className="text-second">{used.join(' · ')}</span>
    </>
  )
}
