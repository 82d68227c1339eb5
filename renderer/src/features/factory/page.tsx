import { Suspense } from 'react'
import { Redirect } from 'wouter'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'
import { FACTORY_TABS } from './tabs.ts'

/** The tab in the URL: examples, pairs or data sets. */
export default function FactoryPage({ tab, rest }: { tab: string | undefined; rest: string }) {
  const current = FACTORY_TABS.find(({ id }) => id === tab)
  if (!current) return <Redirect to={`/factory/${FACTORY_TABS[0]?.id}`} replace />
  return (
    <Suspense fallback={<PageSkeleton />}>
      <current.Body rest={rest} />
    </Suspense>
  )
}
