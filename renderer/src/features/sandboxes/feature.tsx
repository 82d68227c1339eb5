import { SquareTerminal } from 'lucide-react'
import { lazy } from 'react'
import { sandboxMessages } from '#renderer/api/sandboxes.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { sandboxesHref } from '#renderer/app/links.ts'

const SandboxesPage = lazy(() => import('./page.tsx'))

export const sandboxes = {
  sections: [
    {
      group: 'run',
      path: sandboxesHref,
      label: 'Sandboxes',
      icon: SquareTerminal,
      words: 'arena shells terminal containers docker isolation',
    },
  ],
  pages: [{ path: '/sandboxes/*?', page: (params) => <SandboxesPage rest={params['*'] ?? ''} /> }],
  messages: [sandboxMessages],
  useCommands: () => [
    {
      id: 'new-sandbox',
      label: 'New sandbox',
      words: 'shell terminal container docker isolation try',
      icon: SquareTerminal,
      order: 165,
      href: sandboxesHref,
    },
  ],
  settings: [
    {
      id: 'sandboxes',
      label: 'Sandboxes',
      words: 'arena limit running at a time waiting queue snapshots',
      order: 55,
      Body: lazy(() => import('./settings.tsx')),
    },
  ],
} satisfies Feature
