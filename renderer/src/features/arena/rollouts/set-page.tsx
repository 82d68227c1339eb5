import type { RolloutSet } from '#contracts/entities/rollout.ts'
import { useRolloutSet, useRolloutStats } from '#renderer/api/rollouts.ts'
import { useAnnounce } from '#renderer/ui/announcer.tsx'
import { formatCount, formatUsd, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Progress } from '#renderer/ui/meter.tsx'
import { NotRead } from '#renderer/ui/not-read.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { SetActs } from './acts.tsx'
import { ALL_ROLLOUTS } from './all-rollouts.ts'
import { SetFigures } from './figures.tsx'
import { Groups } from './groups.tsx'
import { SetStateBadge } from './state-badge.tsx'
import { countsLine, DEFAULT_MODEL, SET_STATES } from './words.ts'

/** One set: how far it is, its figures, and the attempts at each task. */
export default function SetPage({ id }: { id: string }) {
  const set = useRolloutSet(id)
  if (set.data) return <Shown set={set.data} />
  if (set.error) return <NotRead what="set of rollouts" error={set.error} retry={() => void set.refetch()} all={ALL_ROLLOUTS} />
  return (
    <Loading label="Loading the rollouts" className="flex flex-col gap-4 p-6">
      <Skeleton className="h-7 w-72" />
      <Skeleton className="h-16 w-full" />
      <Skeleton className="h-64 w-full" />
    </Loading>
  )
}

function Shown({ set }: { set: RolloutSet }) {
  const stats = useRolloutStats(set.id)
  return (
    <Page title={set.name} summary={<Facts set={set} />} actions={<SetActs set={set} />}>
      <SetProgress set={set} />
      {set.running.length > 0 ? (
        <Section title="Running episodes">
          <Table caption="Running episodes" columns={AT_WORK} rows={set.running} keyOf={({ id }) => id} />
        </Section>
      ) : null}
      {stats.isPending ? (
        <Loading label="Loading the figures">
          <Skeleton className="h-48 w-full" />
        </Loading>
      ) : null}
      {stats.error && !stats.data ? (
        <ErrorState title="Couldn't load the figures" error={stats.error} retry={() => void stats.refetch()} />
      ) : null}
      {stats.data && stats.data.ended > 0 ? <SetFigures stats={stats.data} /> : null}
      <Groups set={set} />
    </Page>
  )
}

function Facts({ set: { tasks, settings, model, createdAt } }: { set: RolloutSet }) {
  return (
    <p className="flex flex-wrap gap-x-1.5">
      <TextLink href={ALL_ROLLOUTS.href}>{ALL_ROLLOUTS.label}</TextLink>
      <span>·</span>
      <span>
        {plural(tasks, 'task')}, {plural(settings.rolloutsPerTask, 'attempt')} each
      </span>
      <span>·</span>
      <span>{model === null ? DEFAULT_MODEL : <Visible text={model} />}</span>
      <span>·</span>
      <span>
        reward <Visible text={settings.policy.name} />
      </span>
      <span>·</span>
      <span>
        started <RelativeTime at={createdAt} />
      </span>
    </p>
  )
}

function SetProgress({ set }: { set: RolloutSet }) {
  const { name, state, detail, counts, total, costUsd, settings } = set
  useAnnounce(`${name}: ${SET_STATES[state].label}, ${formatCount(counts.ended)} of ${plural(total, 'episode')} ended`)
  return (
    <section aria-label="Progress" className="flex flex-col gap-2 rounded border border-line bg-panel p-3 text-sm">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <SetStateBadge set={set} />
        <span>
          {formatCount(counts.ended)} of {plural(total, 'episode')} ended
        </span>
        <span className="text-second">{countsLine(counts)}</span>
        <span className="text-second">
          Cost: {costUsd === null ? 'not known' : formatUsd(costUsd)}
          {settings.maxCostUsd === null ? '' : ` of at most ${formatUsd(settings.maxCostUsd)}`}
        </span>
      </div>
      <Progress label="Episodes that have ended" value={counts.ended / total} />
      {detail === null ? null : (
        <p className="break-words text-warn">
          <Visible text={detail} />
        </p>
      )}
    </section>
  )
}

const AT_WORK: Column<RolloutSet['running'][number]>[] = [
  { id: 'task', label: 'Task', className: 'font-mono text-xs', cell: ({ taskId }) => <Visible text={taskId} /> },
  { id: 'attempt', label: 'Attempt', numeric: true, cell: ({ attempt }) => formatCount(attempt) },
  { id: 'turns', label: 'Turns', numeric: true, cell: ({ turns }) => formatCount(turns) },
  {
    id: 'watch',
    label: 'Terminal',
    cell: ({ sandboxId }) =>
      sandboxId === null ? <span className="text-second">starting</span> : <TextLink href={`/arena/${sandboxId}`}>Watch</TextLink>,
  },
]
