import { lazy } from 'react'
import { RolloutSetId } from '#contracts/entities/rollout.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ALL_ROLLOUTS } from './all-rollouts.ts'
import { RolloutList } from './rollout-list.tsx'

const NewRollouts = lazy(() => import('./new/new-rollouts.tsx'))
const SetPage = lazy(() => import('./set-page.tsx'))
const GroupPage = lazy(() => import('./group-page.tsx'))

/** `/shell-tasks/rollouts`, `/shell-tasks/rollouts/SET` and `/shell-tasks/rollouts/SET/GROUP`. */
export default function RolloutsPage({ rest }: { rest: string }) {
  if (rest === '') return <RolloutList />
  if (rest === 'new') return <NewRollouts />
  const [id = '', group, ...more] = rest.split('/')
  if (!RolloutSetId.safeParse(id).success || more.length > 0) return <NoSuch what="set of rollouts" all={ALL_ROLLOUTS} />
  if (group === undefined) return <SetPage key={id} id={id} />
  return /^\d{1,6}$/.test(group) ? (
    <GroupPage key={rest} id={id} group={Number(group)} />
  ) : (
    <NoSuch what="task of a set" all={ALL_ROLLOUTS} />
  )
}
