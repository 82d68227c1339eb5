import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

interface FactoryTab {
  id: string
  /** Fills the page. `rest`: what its address has after the tab, '' for nothing. */
  Body: LazyExoticComponent<ComponentType<{ rest: string }>>
}

/** What the factory makes, in the order of the work. */
export const FACTORY_TABS: readonly FactoryTab[] = [
  { id: 'examples', Body: lazy(() => import('./examples/page.tsx')) },
  { id: 'pairs', Body: lazy(() => import('./pairs/page.tsx')) },
  { id: 'datasets', Body: lazy(() => import('./datasets/page.tsx')) },
]
