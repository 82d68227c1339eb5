import { Bot, Dices, FileTerminal, ListChecks, ListPlus, ListTree, Plug, SquareTerminal } from 'lucide-react'
import { lazy } from 'react'
import { CheckReport } from '#contracts/entities/check.ts'
import { batchMessages } from '#renderer/api/batches.ts'
import { rolloutMessages } from '#renderer/api/rollouts.ts'
import { environmentMessages } from '#renderer/api/environments.ts'
import { sandboxMessages } from '#renderer/api/sandboxes.ts'
import { shellTaskMessages } from '#renderer/api/shell-tasks.ts'
import { taskMessages } from '#renderer/api/tasks.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { wordsFor } from '#renderer/app/job-words.ts'
import { checkSentence } from '#renderer/app/words/checks.ts'
import { TASK_STATES } from '#renderer/app/words/tasks.ts'
import { SHELL_TASK_JOBS } from './shell-tasks/jobs.ts'
import { TasksItem } from './tasks/status.tsx'

const ArenaPage = lazy(() => import('./page.tsx'))

export const arena = {
  sections: [
    {
      group: 'run',
      path: '/arena',
      label: 'Arena',
      icon: SquareTerminal,
      words: 'tasks agents sandboxes shells terminal containers docker isolation',
    },
  ],
  pages: [{ path: '/arena/*?', page: (params) => <ArenaPage rest={params['*'] ?? ''} /> }],
  messages: [sandboxMessages, taskMessages, batchMessages, shellTaskMessages, rolloutMessages, environmentMessages],
  jobs: [
    ...SHELL_TASK_JOBS,
    {
      kind: 'checks',
      name: 'Checks of a project',
      outcome: wordsFor(CheckReport, (report) => ({
        sentence: checkSentence(report),
        link: { href: '/arena/checks', label: 'Check a project' },
      })),
    },
  ],
  useCommands: () => [
    {
      id: 'new-task',
      label: 'New task',
      words: 'agent run claude code opencode codex sandbox prompt',
      icon: Bot,
      order: 164,
      href: '/arena/tasks/new',
    },
    {
      id: 'arena',
      label: 'New sandbox',
      words: 'shell terminal container docker isolation try',
      icon: SquareTerminal,
      order: 165,
      href: '/arena',
    },
    {
      id: 'new-batch',
      label: 'New batch',
      words: 'many tasks agents attempts jsonl sessions again',
      icon: ListPlus,
      order: 169,
      href: '/arena/batches/new',
    },
    {
      id: 'batches',
      label: 'Batches',
      words: 'tasks agents attempts pass rate compare models report',
      icon: ListTree,
      order: 167,
      href: '/arena/batches',
    },
    {
      id: 'shell-tasks',
      label: 'Shell tasks',
      words: 'import validate starter set-up check reward reinforcement learning harbor',
      icon: FileTerminal,
      order: 171,
      href: '/arena/shell-tasks',
    },
    {
      id: 'new-rollouts',
      label: 'New rollouts',
      words: 'shell tasks episodes rewards reinforcement learning attempts model rl',
      icon: Dices,
      order: 172,
      href: '/arena/rollouts/new',
    },
    {
      id: 'environments',
      label: 'Environments',
      words: 'openenv gymnasium trl verifiers art server reset step reward',
      icon: Plug,
      order: 173,
      href: '/arena/environments',
    },
    {
      id: 'checks',
      label: 'Check a project',
      words: 'run tests verify pytest vitest sandbox',
      icon: ListChecks,
      order: 166,
      href: '/arena/checks',
    },
  ],
  status: [{ side: 'left', order: 45, Item: TasksItem }],
  notices: {
    'task:status': ({ task: { title, state, question } }) =>
      state !== 'needs_you' || question === null
        ? null
        : { kind: 'permission', title: `${title}: needs you`, body: question.title, when: 'away', once: question.id },
    // a batch has too many tasks to notify about each
    'task:complete': ({ task }) =>
      task.request.batchId !== undefined
        ? null
        : {
            kind: 'jobs',
            title: `${task.title}: ${TASK_STATES[task.state].label.toLowerCase()}`,
            body: task.error?.message ?? TASK_STATES[task.state].description,
            when: 'away',
          },
  },
  settings: [
    {
      id: 'arena',
      label: 'Arena',
      words: 'sandboxes limit running at a time waiting queue',
      order: 55,
      Body: lazy(() => import('./settings.tsx')),
    },
  ],
} satisfies Feature
