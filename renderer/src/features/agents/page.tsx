import { lazy } from 'react'
import { Redirect } from 'wouter'
import { tasksHref } from '#renderer/app/links.ts'
import { NoSuch } from '#renderer/ui/not-read.tsx'
import { ALL_TASKS } from './tasks/all-tasks.ts'

const Tasks = lazy(() => import('./tasks/page.tsx'))
const Batches = lazy(() => import('./batches/page.tsx'))
const Checks = lazy(() => import('./checks.tsx'))

/** `/agents`: tasks, batches of them, and the checks of a project. */
export default function AgentsPage({ rest }: { rest: string }) {
  const [first = '', ...others] = rest.split('/')
  const below = others.join('/')
  if (first === '') return <Tasks rest="" />
  if (first === 'tasks') return below === '' ? <Redirect to={`${tasksHref}${window.location.search}`} replace /> : <Tasks rest={below} />
  if (first === 'batches') return <Batches rest={below} />
  if (rest === 'checks') return <Checks />
  return <NoSuch what="page of Agents" all={ALL_TASKS} />
}
