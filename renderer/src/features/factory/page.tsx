import { Suspense } from 'react'
import { Link, Redirect } from 'wouter'
import { cn } from '#renderer/ui/cn.ts'
import { Loading, Skeleton } from '#renderer/ui/states.tsx'
import { FACTORY_TABS } from './tabs.ts'

/** From sessions to data sets: the tabs, and beneath them the one that the address names. */
export default function FactoryPage({ tab, rest }: { tab: string | undefined; rest: string }) {
  const current = FACTORY_TABS.find(({ id }) => id === tab)
  if (!current) return <Redirect to={`/factory/${FACTORY_TABS[0]?.id}`} replace />
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <nav aria-label="Factory" className="flex h-10 shrink-0 items-stretch gap-1 border-b border-line px-3">
        {FACTORY_TABS.map(({ id, label }) => (
          <Link
            key={id}
            href={`/factory/${id}`}
            aria-current={id === current.id ? 'page' : undefined}
            className={cn(
              'focus-inset flex items-center px-3 text-sm hover:text-text',
              id === current.id ? 'font-semibold text-text shadow-[inset_0_-2px_0_var(--accent)]' : 'text-second',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      <Suspense fallback={<TabSkeleton />}>
        <current.Body rest={rest} />
      </Suspense>
    </div>
  )
}

const TabSkeleton = () => (
  <Loading label="Loading the page" className="flex flex-col gap-4 p-6">
    <Skeleton className="h-6 w-48" />
    <Skeleton className="h-4 w-96 max-w-full" />
    <Skeleton className="mt-4 h-40 w-full" />
  </Loading>
)
