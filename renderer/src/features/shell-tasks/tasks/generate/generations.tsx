import type { ShellDiversity, ShellGeneration } from '#contracts/entities/shell-generation.ts'
import { useOfflineReason } from '#renderer/api/connection.ts'
import { useShellDiversity, useShellGenerations } from '#renderer/api/shell-generations.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Button } from '#renderer/ui/button.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'

const STATES: Record<ShellGeneration['state'], string> = {
  running: 'Running',
  completed: 'Done',
  cancelled: 'Stopped',
  budget: 'Stopped at its budget',
  failed: 'Failed',
  interrupted: 'Interrupted',
}

/** Earlier generations, newest first: the outcome, the rejected tasks, and how diverse the kept tasks are. */
export function Generations({ asOf, isBusy, resume }: { asOf: string; isBusy: boolean; resume: (id: string) => void }) {
  const { data } = useShellGenerations(asOf)
  if (!data || data.items.length === 0) return null
  return (
    <Section title="Generations">
      <RestoredWaits kind="generation" />
      <ul className="flex flex-col gap-3">
        {data.items.map((one, index) => (
          <Generation key={one.id} generation={one} asOf={asOf} isNewest={index === 0} isBusy={isBusy} resume={resume} />
        ))}
      </ul>
    </Section>
  )
}

function Generation({
  generation: { id, state, message, request, kept, made, rejected, spent, createdAt },
  asOf,
  isNewest,
  isBusy,
  resume,
}: {
  generation: ShellGeneration
  asOf: string
  isNewest: boolean
  isBusy: boolean
  resume: (id: string) => void
}) {
  const offline = useOfflineReason()
  const diversity = useShellDiversity(request.split, asOf, isNewest && state !== 'running')
  const keptCount = Object.values(kept).reduce((sum, count) => sum + count, 0)
  return (
    <li className="flex flex-col gap-1 rounded border border-line bg-panel p-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="font-semibold">{STATES[state]}</span>
        <span>
          {plural(keptCount, 'task')} kept of {plural(made, 'candidate')}
        </span>
        <span className="flex-1 text-second">
          {plural(spent.tokens, 'token')}, <RelativeTime at={createdAt} />
        </span>
        {state === 'running' || state === 'completed' ? null : (
          <Button size="small" reason={offline ?? (isBusy ? 'Another generation is running.' : null)} onClick={() => resume(id)}>
            Resume
          </Button>
        )}
      </div>
      {message === null ? null : <p>{message}</p>}
      {rejected.map(({ reason, count }) => (
        <p key={reason} className="text-second">
          {formatCount(count)} rejected: {reason}
        </p>
      ))}
      {diversity.data && diversity.data.tasks > 0 ? <Diversity split={request.split} found={diversity.data} /> : null}
    </li>
  )
}

function Diversity({ split, found: { tasks, near, difficulty, tool, pathRoot, check } }: { split: string; found: ShellDiversity }) {
  const rows = [
    ['Difficulty', difficulty],
    ['Tool', tool],
    ['Path', pathRoot],
    ['Check', check],
  ] as const
  return (
    <section aria-label="Diversity" className="flex flex-col gap-1 pt-2">
      <p>
        The split {split} has {plural(tasks, 'task')}, {formatCount(near)} of them nearly identical to another.
      </p>
      <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-xs">
        {rows.map(([name, counts]) => (
          <div key={name} className="contents">
            <dt className="text-second">{name}</dt>
            <dd className="break-words">
              {Object.entries(counts)
                .map(([key, count]) => `${key} ${formatCount(count)}`)
                .join(', ') || 'none'}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
