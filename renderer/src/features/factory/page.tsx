import { Suspense } from 'react'
import { Redirect } from 'wouter'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { FACTORY_TABS } from './tabs.ts'

/** From sessions to data sets: the part that the address names. */
export default function FactoryPage({ tab, rest }: { tab: string | undefined; rest: string }) {
  const current = FACTORY_TABS.find(({ id }) => id === tab)
  if (!current) return <Redirect to={`/factory/${FACTORY_TABS[0]?.id}`} replace />
  return (
    <Suspense fallback={<TabSkeleton />}>
      <current.Body rest={rest} />
    </Suspense>
  )
}

const TabSkeleton = () => (
  <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-4 w-96 max-w-full" />
    <Skeleton className="mt-4 h-40 w-full" />
  </Loading>
)
