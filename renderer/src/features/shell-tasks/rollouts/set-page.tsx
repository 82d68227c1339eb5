import type { RolloutSet } from '#contracts/entities/rollout.ts'
import { hasRedactions, redactedText } from '#contracts/redacted-text.ts'
import { useRolloutSet, useRolloutStats } from '#renderer/api/rollouts.ts'
import { RestoredWaits } from '#renderer/app/restored-items.tsx'
import { Fetched, FetchedPage } from '#renderer/ui/fetched.tsx'
import { formatCount, plural } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Page, Section } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { FactsLine, CollectionProgress } from '#renderer/app/collections.tsx'
import { SetActions } from './set-actions.tsx'
import { ALL_ROLLOUTS } from './all-rollouts.ts'
import { SetFigures } from './figures.tsx'
import { Groups } from './groups.tsx'
import { countsLine, DEFAULT_MODEL, SET_STATES } from './words.ts'

export default function SetPage({ id }: { id: string }) {
  return (
    <FetchedPage query={useRolloutSet(id)} what="rollouts" named="set of rollouts" all={ALL_ROLLOUTS}>
      {(set) => <LoadedSet set={set} />}
    </FetchedPage>
  )
}

function LoadedSet({ set }: { set: RolloutSet }) {
  const { state, counts, settings } = set
  return (
    <Page title={set.name} summary={<Facts set={set} />} actions={<SetActions set={set} />}>
      <RestoredWaits id={set.id} />
      <CollectionProgress
        {...set}
        noun="episode"
        state={SET_STATES[state]}
        ended={counts.ended}
        counts={countsLine(counts)}
        maxCostUsd={settings.maxCostUsd}
      />
      {hasRedactions(set.redacted) ? <p className="text-sm text-second">{redactedText(set.redacted)}</p> : null}
      {set.running.length > 0 ? (
        <Section title="Running episodes">
          <Table caption="Running episodes" columns={RUNNING_COLUMNS} rows={set.running} keyOf={({ id }) => id} />
        </Section>
      ) : null}
      <Fetched query={useRolloutStats(set.id)} what="figures" bars={['h-48 w-full']}>
        {(stats) => (stats.ended > 0 ? <SetFigures stats={stats} hasEnded={state !== 'running'} /> : null)}
      </Fetched>
      <Groups set={set} />
    </Page>
  )
}

const Facts = ({ set: { tasks, settings, model, createdAt } }: { set: RolloutSet }) => (
  <FactsLine
    facts={[
      <TextLink key="all" href={ALL_ROLLOUTS.href}>
        {ALL_ROLLOUTS.label}
      </TextLink>,
      `${plural(tasks, 'task')}, ${plural(settings.rolloutsPerTask, 'attempt')} each`,
      model === null ? DEFAULT_MODEL : <Visible key="model" text={model} />,
      <>
        reward <Visible text={settings.policy.name} />
      </>,
      <>
        started <RelativeTime at={createdAt} />
      </>,
    ]}
  />
)

const RUNNING_COLUMNS: Column<RolloutSet['running'][number]>[] = [
  { id: 'task', label: 'Task', className: 'font-mono text-xs', cell: ({ taskId }) => <Visible text={taskId} /> },
  { id: 'attempt', label: 'Attempt', numeric: true, cell: ({ attempt }) => formatCount(attempt) },
  { id: 'turns', label: 'Turns', numeric: true, cell: ({ turns }) => formatCount(turns) },
  {
    id: 'watch',
    label: 'Terminal',
    cell: ({ sandboxId }) =>
      sandboxId === null ? <span className="text-second">starting</span> : <TextLink href={`/sandboxes/${sandboxId}`}>Watch</TextLink>,
  },
]
