import { lazy, Suspense } from 'react'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Checks } from './checks.tsx'
import { Wall } from './wall.tsx'

const Detail = lazy(() => import('./detail.tsx'))
const Batches = lazy(() => import('./batches/page.tsx'))
const Environments = lazy(() => import('./environments/page.tsx'))
const Rollouts = lazy(() => import('./rollouts/page.tsx'))
const ShellTasks = lazy(() => import('./shell-tasks/page.tsx'))
const Tasks = lazy(() => import('./tasks/page.tsx'))

/** `/arena`, the addresses of its parts (tabs.tsx) with what is beneath them, and one address a sandbox. */
export default function ArenaPage({ rest }: { rest: string }) {
  if (rest === '') return <Wall />
  if (rest === 'checks') return <Checks />
  return (
    <Suspense
      fallback={
        <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
          <Skeleton className="h-6 w-48" />
          <Skeleton className="h-40 w-full" />
        </Loading>
      }
    >
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
