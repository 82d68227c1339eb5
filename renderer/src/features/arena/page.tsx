import { lazy, Suspense } from 'react'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { Checks } from './checks.tsx'
import { Wall } from './wall.tsx'

const Detail = lazy(() => import('./detail.tsx'))
const Batches = lazy(() => import('./batches/page.tsx'))
const Environments = lazy(() => import('./environments/page.tsx'))
const Rollouts = lazy(() => import('./rollouts/page.tsx'))
const ShellTasks = lazy(() => import('./shell-tasks/page.tsx'))
const Tasks = lazy(() => import('./tasks/page.tsx'))

/** `/arena`, its tabs with their pages, and one address per sandbox. */
export default function ArenaPage({ rest }: { rest: string }) {
  if (rest === '') return <Wall />
  if (rest === 'checks') return <Checks />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Part rest={rest} />
    </Suspense>
  )
}

function Part({ rest }: { rest: string }) {
  const [first, ...beneath] = rest.split('/')
  if (first === 'tasks') return <Tasks rest={beneath.join('/')} />
  if (first === 'shell-tasks') return <ShellTasks rest={beneath.join('/')} />
  if (rest === 'environments') return <Environments />
  if (first === 'batches') return <Batches rest={beneath.join('/')} />
  if (first === 'rollouts') return <Rollouts rest={beneath.join('/')} />
  return <Detail key={rest} id={rest} />
}
