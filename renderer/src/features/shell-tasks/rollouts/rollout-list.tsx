import type { RolloutSet } from '#contracts/entities/rollout.ts'
import { useRollouts } from '#renderer/api/rollouts.ts'
import { newRolloutsHref, rolloutsHref } from '#renderer/app/links.ts'
import { formatUsd } from '#renderer/ui/format.ts'
import { NewLink } from '#renderer/ui/link.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState } from '#renderer/ui/states.tsx'
import { TabLinks } from '#renderer/ui/tab-links.tsx'
import type { Column } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { RateCell, rateOf } from '#renderer/app/rates.tsx'
import { EndedCell, NameLink, CollectionListPage, CollectionStateBadge } from '#renderer/app/collections.tsx'
import { SHELL_TASK_TABS } from '../tabs.ts'
import { countsLine, DEFAULT_MODEL, SET_STATES } from './words.ts'

/** `/shell-tasks/rollouts` */
export const RolloutList = () => (
  <CollectionListPage
    title="Rollouts"
    summary="A model tries shell tasks in sandboxes, each several times; every attempt is checked and gets a reward."
    tabs={<TabLinks {...SHELL_TASK_TABS} current="rollouts" />}
    list={useRollouts()}
    columns={COLUMNS}
    newLink={<NewLink href={newRolloutsHref} label="New rollouts" />}
    empty={
      <EmptyState title="No rollouts yet" action={<NewLink href={newRolloutsHref} label="New rollouts" />}>
        Choose shell tasks and a model. This page then shows how often the model solves each task, and what it did.
      </EmptyState>
    }
  />
)

const COLUMNS: Column<RolloutSet>[] = [
  { id: 'name', label: 'Name', className: 'min-w-40 max-w-80', cell: ({ id, name }) => <NameLink href={rolloutsHref(id)} name={name} /> },
  { id: 'state', label: 'State', cell: ({ state, detail }) => <CollectionStateBadge state={SET_STATES[state]} detail={detail} /> },
  { id: 'model', label: 'Model', className: 'max-w-60', cell: ({ model }) => <Visible text={model ?? DEFAULT_MODEL} /> },
  {
    id: 'ended',
    label: 'Ended',
    numeric: true,
    cell: ({ name, counts, total }) => (
      <EndedCell label={`Episodes of ${name} that have ended`} counts={countsLine(counts)} ended={counts.ended} total={total} />
    ),
  },
  {
    id: 'rate',
    label: 'Solved (95 % interval)',
    numeric: true,
    cell: ({ counts: { solved, ok }, tasks, total }) => <RateCell rate={rateOf(solved, ok, Math.ceil((ok * tasks) / total))} />,
  },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => formatUsd(costUsd) },
  { id: 'started', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]
