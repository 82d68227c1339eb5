import type { RolloutGroup, RolloutSet } from '#contracts/entities/rollout.ts'
import { useRolloutGroups } from '#renderer/api/rollouts.ts'
import { rolloutGroupHref } from '#renderer/app/links.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Fetched } from '#renderer/ui/fetched.tsx'
import { DASH } from '#renderer/ui/format.ts'
import { TextLink } from '#renderer/ui/link.tsx'
import { Section } from '#renderer/ui/page.tsx'
import { type Column, Table } from '#renderer/ui/table.tsx'
import { Visible } from '#renderer/ui/visible.tsx'
import { outcomeOf, rewardWord } from './words.ts'

export function Groups({ set: { id } }: { set: RolloutSet }) {
  const groups = useRolloutGroups(id)
  return (
    <Section title="Tasks">
      <Fetched query={groups} what="tasks" bars={['h-40 w-full']}>
        {({ pages }) => {
          const rows = pages.flatMap(({ items }) => items)
          if (rows.length === 0) return null
          return <Table caption="Attempts by task" columns={columnsOf(id)} rows={rows} keyOf={({ group }) => String(group)} />
        }}
      </Fetched>
      {groups.hasNextPage ? (
        <div>
          <Button busy={groups.isFetchingNextPage} onClick={() => void groups.fetchNextPage()}>
            Show more tasks
          </Button>
        </div>
      ) : null}
    </Section>
  )
}

const columnsOf = (set: string): Column<RolloutGroup>[] => [
  {
    id: 'task',
    label: 'Task',
    className: 'min-w-48 max-w-96',
    cell: ({ group, task }) => (
      <TextLink href={rolloutGroupHref(set, group)} className="block truncate">
        <Visible text={task.task} />
      </TextLink>
    ),
  },
  { id: 'difficulty', label: 'Difficulty', numeric: true, cell: ({ task }) => task.difficulty ?? DASH },
  { id: 'attempts', label: 'Attempts', cell: ({ attempts }) => (attempts.length === 0 ? DASH : <Marks attempts={attempts} />) },
  { id: 'mean', label: 'Mean reward', numeric: true, cell: ({ mean }) => rewardWord(mean) },
  { id: 'std', label: 'Spread', numeric: true, cell: ({ std, zeroVariance }) => (zeroVariance ? 'none' : rewardWord(std)) },
]

const Marks = ({ attempts }: Pick<RolloutGroup, 'attempts'>) => (
  <span className="inline-flex flex-wrap gap-1 align-middle">
    {attempts.map((one) => {
      const { icon: Icon, ink, label } = outcomeOf(one)
      const description = `Attempt ${one.attempt}: ${label}, reward ${rewardWord(one.reward)}`
      return (
        <span key={one.id} title={description} className={ink}>
          <Icon size={14} aria-label={description} role="img" />
        </span>
      )
    })}
  </span>
)
