import { lazy } from 'react'

const Tasks = lazy(() => import('./tasks/page.tsx'))
const Rollouts = lazy(() => import('./rollouts/page.tsx'))
const Environments = lazy(() => import('./environments/page.tsx'))

/** `/shell-tasks`: the tasks, rollouts of a model at them, and environments that let trainers play them. */
export default function ShellTaskPages({ rest }: { rest: string }) {
  const [first, ...below] = rest.split('/')
  if (first === 'rollouts') return <Rollouts rest={below.join('/')} />
  if (rest === 'environments') return <Environments />
  return <Tasks rest={rest} />
}
