import { lazy, Suspense, type ReactNode } from 'react'
import { Skeleton } from '../states.tsx'
import type { PointsProps } from './points.tsx'
import type { StacksProps } from './stacks.tsx'

// the library that draws them is about 100 kB: no page waits for it
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

/** Counts over periods as bars: each period is read by itself. */
export const Bars = ({ height = HEIGHT, ...rest }: StacksProps) => (
  <Later height={height}>
    <Stacks look="bars" height={height} {...rest} />
  </Later>
)

/** Counts over periods as areas: the course is read. */
export const Areas = ({ height = HEIGHT, ...rest }: StacksProps) => (
  <Later height={height}>
    <Stacks look="areas" height={height} {...rest} />
  </Later>
)

/** Single values by two measures. */
export const Scatter = ({ height = HEIGHT, ...rest }: PointsProps) => (
  <Later height={height}>
    <Points height={height} {...rest} />
  </Later>
)
