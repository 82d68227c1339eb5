import { SquareTerminal } from 'lucide-react'
import { lazy } from 'react'
import { sandboxMessages } from '#renderer/api/sandboxes.ts'
import type { Feature } from '#renderer/app/feature.ts'

const ArenaPage = lazy(() => import('./page.tsx'))

export const arena = {
  sections: [
    { group: 'run', path: '/arena', label: 'Arena', icon: SquareTerminal, words: 'sandboxes shells terminal containers docker isolation' },
  ],
  pages: [{ path: '/arena/*?', page: (params) => <ArenaPage rest={params['*'] ?? ''} /> }],
  messages: [sandboxMessages],
} satisfies Feature
