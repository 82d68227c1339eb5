import { Split } from 'lucide-react'
import { lazy } from 'react'
import { routingMessages } from '#renderer/api/routing.ts'
import type { Feature } from '#renderer/app/feature.ts'

const RouterPage = lazy(() => import('./page.tsx'))

export const router = {
  sections: [
    {
      group: 'models',
      path: '/router',
      label: 'Router',
      icon: Split,
      words: 'route routing strategy student teacher share confidence threshold progressive complexity',
    },
  ],
  pages: [{ path: '/router', page: () => <RouterPage /> }],
  messages: [routingMessages],
} satisfies Feature
