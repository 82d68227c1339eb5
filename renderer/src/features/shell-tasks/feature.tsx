import { Dices, FileTerminal, Plug } from 'lucide-react'
import { lazy } from 'react'
import { environmentMessages } from '#renderer/api/environments.ts'
import { rolloutMessages } from '#renderer/api/rollouts.ts'
import { shellTaskMessages } from '#renderer/api/shell-tasks.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { newRolloutsHref } from '#renderer/app/links.ts'
import { SHELL_TASK_JOBS } from './tasks/jobs.ts'

const ShellTaskPages = lazy(() => import('./page.tsx'))

export const shellTasks = {
  sections: [
    {
      group: 'run',
      path: '/shell-tasks',
      label: 'Shell tasks',
      icon: FileTerminal,
      words: 'import validate starter set-up check reward reinforcement learning harbor arena',
    },
  ],
  pages: [{ path: '/shell-tasks/*?', page: (params) => <ShellTaskPages rest={params['*'] ?? ''} /> }],
  messages: [shellTaskMessages, rolloutMessages, environmentMessages],
  jobs: SHELL_TASK_JOBS,
  useCommands: () => [
    {
      id: 'new-rollouts',
      label: 'New rollouts',
      words: 'shell tasks episodes rewards reinforcement learning attempts model rl',
      icon: Dices,
      order: 172,
      href: newRolloutsHref,
    },
    {
      id: 'environments',
      label: 'Environments',
      words: 'openenv gymnasium trl verifiers art server reset step reward',
      icon: Plug,
      order: 173,
      href: '/shell-tasks/environments',
    },
  ],
} satisfies Feature
