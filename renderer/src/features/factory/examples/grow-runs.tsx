import { useQuery } from '@tanstack/react-query'
import type { AugmentRun } from '#contracts/entities/augment.ts'
import { api } from '#renderer/api/client.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { exampleKeys } from '#renderer/api/examples.ts'
import { useJobCall } from '#renderer/api/jobs.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Badge, type Tone } from '#renderer/ui/badge.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { formatCompact, formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState } from '#renderer/ui/states.tsx'
import { TextLink } from '#renderer/ui/link.tsx'

const STATE: Record<AugmentRun['state'], { word: string; tone: Tone }> = {
  running: { word: 'running', tone: 'accent' },
  completed: { word: 'completed', tone: 'ok' },
  budget: { word: 'budget used up', tone: 'warn' },
  failed: { word: 'failed', tone: 'bad' },
  cancelled: { word: 'stopped', tone: 'neutral' },
  interrupted: { word: 'interrupted', tone: 'warn' },
}
const MAX_RUNS = 10

/** Earlier runs with their results and cost. Incomplete runs can be resumed. */
export function Runs({ isRunning }: { isRunning: boolean }) {
  const offline = useOfflineReason()
  const runs = useQuery({
    queryKey: exampleKeys.augmentRuns,
    queryFn: ({ signal }) => api.listSyntheticRuns({ query: { limit: MAX_RUNS }, signal }),
  })
  const resume = useJobCall((id: string) => api.resumeSynthetic({ params: { id }, body: {} }), "Couldn't resume the run")
  if (runs.error && !runs.data) return <ErrorState title="Couldn't load the runs" error={runs.error} retry={() => void runs.refetch()} />
  if (!runs.data || runs.data.items.length === 0) return null
  return (
    <Section title="Runs">
      <RestoredWaits kind="synthetic-run" />
      <ul>
        {runs.data.items.map((run) => (
          <li key={run.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line py-2 text-sm">
            <Badge tone={STATE[run.state].tone}>{STATE[run.state].word}</Badge>
            <span className="font-mono text-xs">{run.model}</span>
            <span className="min-w-60 flex-1 text-second">
              {formatCount(run.done)} of {plural(run.total, run.plan.make === 'tasks' ? 'task' : 'variant')} answered,{' '}
              <TextLink href="/factory/examples?flag=generated">{formatCount(run.kept)} kept</TextLink>
              {sumOf(run.rejected) > 0 ? `, ${formatCount(sumOf(run.rejected))} dropped` : ''}
              {sumOf(run.failed) > 0 ? `, ${formatCount(sumOf(run.failed))} failed` : ''};{' '}
              {run.spentUsd === null ? 'cost unknown' : formatUsd(run.spentUsd)}, {formatCompact(run.tokens.input + run.tokens.output)}{' '}
              tokens
              {run.message ? `. ${run.message}` : ''}
            </span>
            <RelativeTime at={run.endedAt ?? run.createdAt} className="text-xs text-second" />
            {run.state === 'running' || run.state === 'completed' ? null : (
              <Button
                size="small"
                reason={offline ?? (isRunning ? 'Another run is in progress.' : null)}
                onClick={() => resume.mutate(run.id)}
              >
                Resume
              </Button>
            )}
          </li>
        ))}
      </ul>
    </Section>
  )
}

const sumOf = (reasons: AugmentRun['rejected']) => reasons.reduce((total, { count }) => total + count, 0)
