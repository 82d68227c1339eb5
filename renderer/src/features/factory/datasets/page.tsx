import { lazy, Suspense } from 'react'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { DatasetList } from './list.tsx'

const NewDataset = lazy(() => import('./new/new-dataset.tsx'))
const ImportRows = lazy(() => import('./import-rows.tsx'))
const Compare = lazy(() => import('./compare.tsx'))
const Version = lazy(() => import('./version/version.tsx'))

/** `/factory/datasets`, with the subpages `new`, `import`, `compare` and one for each version. */
export default function DatasetsPage({ rest }: { rest: string }) {
  if (rest === '') return <DatasetList />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <Part rest={rest} />
    </Suspense>
  )
}

function Part({ rest }: { rest: string }) {
  if (rest === 'new') return <NewDataset />
  if (rest === 'import') return <ImportRows />
  if (rest === 'compare') return <Compare />
  return <Version key={rest} id={rest} />
}
