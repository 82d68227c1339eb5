import type { RolloutSet } from '#contracts/entities/rollout.ts'
import { wilson } from '#contracts/wilson.ts'
import { useRollouts } from '#renderer/api/rollouts.ts'
import { newRolloutsHref, rolloutsHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { formatCount, formatUsd } from '#renderer/ui/format.ts'
import { ButtonLink, TextLink } from '#renderer/ui/link.tsx'
import { useRows } from '#renderer/ui/lists/pages.ts'
import { Progress } from '#renderer/ui/meter.tsx'
import { Page } from '#renderer/ui/page.tsx'
import { RelativeTime } from '#renderer/ui/relative-time.tsx'
import { EmptyState, ErrorState, Loading, Skeleton } from '#renderer/ui/states.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { ArenaTabs } from '../tabs.tsx'
import { SetStateBadge } from './state-badge.tsx'
import { countsLine, DEFAULT_MODEL, intervalWord, rateWord } from './words.ts'

/** `/arena/rollouts`: all sets, newest first. */
export function RolloutList() {
  const list = useRollouts()
  const { rows, more } = useRows(list)
  return (
    <Page
      title="Rollouts"
      summary="A model tries shell tasks in sandboxes, each several times; every attempt is checked and gets a reward."
      actions={rows.length > 0 ? <NewRolloutsLink /> : null}
      tabs={<ArenaTabs current="rollouts" />}
    >
      {list.isPending ? (
        <Loading label="Loading the rollouts" className="flex flex-col gap-3">
          <Skeleton className="h-6 w-full" />
          <Skeleton className="h-6 w-2/3" />
        </Loading>
      ) : null}
      {list.error && !list.data ? (
        <ErrorState title="Couldn't load the rollouts" error={list.error} retry={() => void list.refetch()} />
      ) : null}
      {list.data && rows.length === 0 ? (
        <EmptyState title="No rollouts yet" action={<NewRolloutsLink />}>
          Choose shell tasks and a model. How often it solves each, and what it did, is shown here.
        </EmptyState>
      ) : null}
      {rows.length > 0 ? <Table caption="Rollouts" columns={COLUMNS} rows={rows} keyOf={({ id }) => id} /> : null}
      {list.hasNextPage ? (
        <div>
          <Button busy={list.isFetchingNextPage} onClick={more}>
            Show older rollouts
          </Button>
        </div>
      ) : null}
    </Page>
  )
}

const NewRolloutsLink = () => (
  <ButtonLink href={newRolloutsHref} look="primary">
    New rollouts
  </ButtonLink>
)

const COLUMNS: Column<RolloutSet>[] = [
  {
    id: 'name',
    label: 'Name',
    className: 'min-w-40 max-w-80',
    cell: ({ id, name }) => (
      <TextLink href={rolloutsHref(id)} className="block truncate no-underline! hover:underline!">
        <Visible text={name} />
      </TextLink>
    ),
  },
  { id: 'state', label: 'State', cell: (set) => <SetStateBadge set={set} /> },
  { id: 'model', label: 'Model', className: 'max-w-60', cell: ({ model }) => <Visible text={model ?? DEFAULT_MODEL} /> },
  { id: 'ended', label: 'Ended', numeric: true, cell: (set) => <Ended set={set} /> },
  { id: 'rate', label: 'Solved (95 % interval)', numeric: true, cell: (set) => <Rate set={set} /> },
  { id: 'cost', label: 'Cost', numeric: true, cell: ({ costUsd }) => formatUsd(costUsd) },
  { id: 'started', label: 'Started', numeric: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} className="text-second" /> },
]

const Ended = ({ set: { name, counts, total } }: { set: RolloutSet }) => (
  <span className="inline-flex w-28 flex-col gap-1" title={countsLine(counts)}>
    {formatCount(counts.ended)} of {formatCount(total)}
    <Progress label={`Episodes of ${name} that have ended`} value={counts.ended / total} className="h-1" />
  </span>
)

function Rate({ set: { counts } }: { set: RolloutSet }) {
  const { low = null, high = null } = wilson(counts.solved, counts.ok) ?? {}
  return (
    <>
      {rateWord({ solved: counts.solved, n: counts.ok })}{' '}
      {low === null ? null : <span className="text-second">({intervalWord({ low, high })})</span>}
    </>
  )
}
