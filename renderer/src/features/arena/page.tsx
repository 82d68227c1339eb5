import { lazy, Suspense } from 'react'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { Checks } from './checks.tsx'
import { Wall } from './wall.tsx'

const Detail = lazy(() => import('./detail.tsx'))
const Tasks = lazy(() => import('./tasks/page.tsx'))

/** `/arena`, `/arena/checks`, `/arena/tasks` and what is beneath it, and one address a sandbox. */
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
      {rest === 'tasks' || rest.startsWith('tasks/') ? <Tasks rest={rest.slice('tasks/'.length)} /> : <Detail key={rest} id={rest} />}
    </Suspense>
  )
}
