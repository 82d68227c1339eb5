import { lazy, Suspense } from 'react'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { ModelList } from './list/model-list.tsx'

const CompareModels = lazy(() => import('./compare/compare.tsx'))
const Profile = lazy(() => import('./profile/profile.tsx'))
const TryModel = lazy(() => import('./try/try.tsx'))

/** `/models`, and beneath it `compare`, one address a model, and `try` beneath that. */
export default function ModelsPage({ rest }: { rest: string }) {
  if (rest === '') return <ModelList />
  return (
    <Suspense fallback={<PartSkeleton />}>
      <Part rest={rest} />
    </Suspense>
  )
}

function Part({ rest }: { rest: string }) {
  if (rest === 'compare') return <CompareModels />
  const [id = '', part] = rest.split('/')
  return part === 'try' ? <TryModel key={id} id={id} /> : <Profile key={id} id={id} />
}

const PartSkeleton = () => (
  <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-40 w-full" />
  </Loading>
)
