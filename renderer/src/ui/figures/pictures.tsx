import { lazy, Suspense, type ReactNode } from 'react'
import { Skeleton } from '../states.tsx'
import type { PointsProps } from './points.tsx'
import type { StacksProps } from './stacks.tsx'

// the chart library has about 100 kB, so no page waits for it
const Stacks = lazy(() => import('./stacks.tsx'))
const Points = lazy(() => import('./points.tsx'))

const HEIGHT = 200

const Later = ({ height, children }: { height: number; children: ReactNode }) => (
  <Suspense
    fallback={
      <div style={{ height }}>
        <Skeleton className="h-full w-full" />
      </div>
    }
  >
    {children}
  </Suspense>
)

/** Counts over periods, to compare single periods. */
export const Bars = ({ height = HEIGHT, ...rest }: StacksProps) => (
  <Later height={height}>
    <Stacks look="bars" height={height} {...rest} />
  </Later>
)

/** Counts over periods, to see the trend. */
export const Areas = ({ height = HEIGHT, ...rest }: StacksProps) => (
  <Later height={height}>
    <Stacks look="areas" height={height} {...rest} />
  </Later>
)

/** Values by two measures. */
export const Scatter = ({ height = HEIGHT, ...rest }: PointsProps) => (
  <Later height={height}>
    <Points height={height} {...rest} />
  </Later>
)
