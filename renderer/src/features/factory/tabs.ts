import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

interface FactoryTab {
  id: string
  label: string
  /** Fills what is left beneath the tabs. `rest`: what its address has after the tab, '' for nothing. */
  Body: LazyExoticComponent<ComponentType<{ rest: string }>>
}

/** What the factory makes, in the order of the work. */
export const FACTORY_TABS: readonly FactoryTab[] = [
  { id: 'examples', label: 'Examples', Body: lazy(() => import('./examples/page.tsx')) },
  { id: 'pairs', label: 'Pairs', Body: lazy(() => import('./pairs/page.tsx')) },
  { id: 'datasets', label: 'Data sets', Body: lazy(() => import('./datasets/page.tsx')) },
]
