import { ArrowDown, ArrowUp, Pause, Play } from 'lucide-react'
import { useId } from 'react'
import type { Run } from '#contracts/entities/run.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useActiveRuns, useTrainingQueue } from '#renderer/api/runs.ts'
import { runHref } from '#renderer/app/links.ts'
import { Button, IconButton } from '#renderer/ui/button.tsx'
import { plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { Switch } from '#renderer/ui/switch.tsx'
import { usePatchQueue, useRun } from '../queries.ts'
import { etaOf, isOnDevice, phaseOf, shareOf, STATE_WORDS } from '../words.ts'
import { moved } from './filter.ts'

/** The run on the device, the queue in its order, and whether it is paused. */
export function QueueStrip() {
  const queue = useTrainingQueue().data
  const active = useActiveRuns().data
  const patch = usePatchQueue()
  const offline = useOfflineReason()
  const id = useId()
  if (!queue) return null
  const runs = active?.items ?? []
  const onDevice = runs.filter(isOnDevice)
  const waiting = queue.order.flatMap((runId) => runs.find((run) => run.id === runId && run.state === 'queued') ?? [])
  if (onDevice.length === 0 && waiting.length === 0 && !queue.paused) return null
  return (
    <section aria-label="Queue" className="flex flex-col gap-2 border-b border-line px-6 py-2.5 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1.5">
        <h2 className="font-semibold">Queue</h2>
        <span className="text-second">
          {!active ? '' : onDevice.length > 0 ? `${plural(onDevice.length, 'run')} on the device, ` : 'no run on the device, '}
          {queue.order.length === 0 ? 'none waiting' : `${queue.order.length} waiting`}
          {queue.paused ? '; the queue is paused, so none will start' : ''}
        </span>
        <span className="flex-1" />
        <span className="flex items-center gap-2 text-xs text-second">
          <label htmlFor={id}>Continue after a failure</label>
          <Switch
            id={id}
            checked={queue.continueAfterFailure}
            disabled={offline !== null}
            onChange={(continueAfterFailure) => patch.mutate({ continueAfterFailure })}
          />
        </span>
        <Button size="small" icon={queue.paused ? Play : Pause} reason={offline} onClick={() => patch.mutate({ paused: !queue.paused })}>
          {queue.paused ? 'Resume queue' : 'Pause queue'}
        </Button>
      </div>
      {queue.pausedBy === null ? null : <PausedBy id={queue.pausedBy} />}
      {onDevice.map((run) => (
        <OnDevice key={run.id} run={run} />
      ))}
      {waiting.length > 0 ? (
        <ol aria-label="Waiting runs, in order" className="flex flex-wrap gap-x-4 gap-y-1">
          {waiting.map((run, at) => (
            <li key={run.id} className="flex items-center gap-1">
              <span className="font-mono text-xs text-second">{at + 1}</span>
              <TextLink href={runHref(run.id)} className="max-w-60 truncate">
                {run.name}
              </TextLink>
              <IconButton
                size="small"
                icon={ArrowUp}
                label={`Move ${run.name} up`}
                reason={offline ?? (at === 0 ? 'Already first.' : null)}
                onClick={() => patch.mutate({ order: moved(queue.order, run.id, -1) })}
              />
              <IconButton
                size="small"
                icon={ArrowDown}
                label={`Move ${run.name} down`}
                reason={offline ?? (at === waiting.length - 1 ? 'Already last.' : null)}
                onClick={() => patch.mutate({ order: moved(queue.order, run.id, 1) })}
              />
            </li>
          ))}
        </ol>
      ) : null}
    </section>
  )
}

function OnDevice({ run }: { run: Run }) {
  return (
    <div className="flex items-center gap-3">
      <TextLink href={runHref(run.id)} className="max-w-72 truncate">
        {run.name}
      </TextLink>
      <span className="shrink-0 text-second">{phaseOf(run) ?? STATE_WORDS[run.state].label}</span>
      <Progress label={`Steps of ${run.name}`} value={shareOf(run)} className="min-w-16 flex-1" />
      <span className="shrink-0 font-mono text-xs text-second">{etaOf(run) ?? ''}</span>
    </div>
  )
}

/** The failed run that paused the queue. */
function PausedBy({ id }: { id: string }) {
  const run = useRun(id).data
  if (!run) return null
  return (
    <p role="status" className="text-sm text-warn">
      The queue was paused because{' '}
      <TextLink href={runHref(run.id)} className="font-semibold">
        {run.name}
      </TextLink>{' '}
      failed{run.error ? `: ${run.error.message}` : '.'} Fix the cause, then resume the queue.
    </p>
  )
}
