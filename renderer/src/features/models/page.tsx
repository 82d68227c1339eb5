import { lazy, Suspense } from 'react'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { ModelList } from './list/model-list.tsx'

const CompareModels = lazy(() => import('./compare/compare.tsx'))
const Profile = lazy(() => import('./profile/profile.tsx'))
const TryModel = lazy(() => import('./try/try.tsx'))

/** Shows `/models`, `/models/compare`, `/models/:id` and `/models/:id/try`. */
export default function ModelsPage({ rest }: { rest: string }) {
  if (rest === '') return <ModelList />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Part rest={rest} />
    </Suspense>
  )
}

function Part({ rest }: { rest: string }) {
  if (rest === 'compare') return <CompareModels />
  const [id = '', part] = rest.split('/')
  return part === 'try' ? <TryModel key={id} id={id} /> : <Profile key={id} id={id} />
}
