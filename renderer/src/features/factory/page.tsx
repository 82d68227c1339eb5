import { lazy, Suspense, type ComponentType, type LazyExoticComponent } from 'react'
import { Redirect } from 'wouter'
import { PageSkeleton } from '#renderer/app/page-skeleton.tsx'

interface FactoryTab {
  id: string
  /** `rest`: the URL path after the tab. */
  Body: LazyExoticComponent<ComponentType<{ rest: string }>>
}

const FACTORY_TABS: readonly FactoryTab[] = [
  { id: 'examples', Body: lazy(() => import('./examples/page.tsx')) },
  { id: 'pairs', Body: lazy(() => import('./pairs/page.tsx')) },
  { id: 'datasets', Body: lazy(() => import('./datasets/page.tsx')) },
]

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
