import { lazy, type ComponentType, type LazyExoticComponent } from 'react'

interface FactoryTab {
  id: string
  /** `rest`: the URL path after the tab. */
  Body: LazyExoticComponent<ComponentType<{ rest: string }>>
}

export const FACTORY_TABS: readonly FactoryTab[] = [
  { id: 'examples', Body: lazy(() => import('./examples/page.tsx')) },
  { id: 'pairs', Body: lazy(() => import('./pairs/page.tsx')) },
  { id: 'datasets', Body: lazy(() => import('./datasets/page.tsx')) },
]
