import { lazy, Suspense } from 'react'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { Checks } from './checks.tsx'
import { SandboxList } from './sandbox-list.tsx'

const SandboxPage = lazy(() => import('./sandbox-page.tsx'))
const Batches = lazy(() => import('./batches/page.tsx'))
const Environments = lazy(() => import('./environments/page.tsx'))
const Rollouts = lazy(() => import('./rollouts/page.tsx'))
const ShellTasks = lazy(() => import('./shell-tasks/page.tsx'))
const Tasks = lazy(() => import('./tasks/page.tsx'))

/** `/arena`, its tabs with their pages, and one address per sandbox. */
export default function ArenaPage({ rest }: { rest: string }) {
  if (rest === '') return <SandboxList />
  if (rest === 'checks') return <Checks />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <ArenaRoute rest={rest} />
    </Suspense>
  )
}

function ArenaRoute({ rest }: { rest: string }) {
  const [first, ...subpath] = rest.split('/')
  if (first === 'tasks') return <Tasks rest={subpath.join('/')} />
  if (first === 'shell-tasks') return <ShellTasks rest={subpath.join('/')} />
  if (rest === 'environments') return <Environments />
  if (first === 'batches') return <Batches rest={subpath.join('/')} />
  if (first === 'rollouts') return <Rollouts rest={subpath.join('/')} />
  return <SandboxPage key={rest} id={rest} />
}
