import { lazy, Suspense } from 'react'
import { Loading, Skeleton } from '../states.tsx'
import type { TerminalProps } from './view.tsx'

const Lazy = lazy(() => import('./view.tsx'))

/** Its code is loaded when a terminal is shown. */
export const Terminal = (props: TerminalProps) => (
  <Suspense
    fallback={
      <Loading label="Loading the terminal">
        <Skeleton className="h-[600px] w-full" />
      </Loading>
    }
  >
    <Lazy {...props} />
  </Suspense>
)
