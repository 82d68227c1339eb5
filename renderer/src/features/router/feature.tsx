import { Split } from 'lucide-react'
import { lazy } from 'react'
import { routingMessages } from '#renderer/api/routing.ts'
import { savingsMessages } from '#renderer/api/savings.ts'
import type { Feature } from '#renderer/app/feature.ts'

const RouterPage = lazy(() => import('./page.tsx'))

export const router = {
  sections: [
    {
      group: 'models',
      path: '/router',
      label: 'Router',
      icon: Split,
      words: 'route routing strategy student teacher share confidence threshold progressive complexity savings would have saved cost',
    },
  ],
  pages: [{ path: '/router', page: () => <RouterPage /> }],
  messages: [routingMessages, savingsMessages],
} satisfies Feature
