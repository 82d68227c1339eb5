import { Bot, ListChecks, ListPlus, ListTree } from 'lucide-react'
import { lazy } from 'react'
import { CheckReport } from '#contracts/entities/check.ts'
import { batchMessages } from '#renderer/api/batches.ts'
import { taskMessages } from '#renderer/api/tasks.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { wordsFor } from '#renderer/app/job-words.ts'
import { newBatchHref, newTaskHref } from '#renderer/app/links.ts'
import { checkSentence } from '#renderer/app/words/checks.ts'
import { TASK_STATES } from '#renderer/app/words/tasks.ts'
import { TasksItem } from './tasks/status.tsx'

const AgentsPage = lazy(() => import('./page.tsx'))

export const agents = {
  sections: [{ group: 'run', path: '/agents', label: 'Agents', icon: Bot, words: 'tasks arena claude code opencode codex review' }],
  pages: [{ path: '/agents/*?', page: (params) => <AgentsPage rest={params['*'] ?? ''} /> }],
  messages: [taskMessages, batchMessages],
  jobs: [
    {
      kind: 'checks',
      name: 'Checks of a project',
      outcome: wordsFor(CheckReport, (report) => ({
        sentence: checkSentence(report),
        link: { href: '/agents/checks', label: 'Check a project' },
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
      href: newTaskHref,
    },
    {
      id: 'new-batch',
      label: 'New batch',
      words: 'many tasks agents attempts jsonl sessions again',
      icon: ListPlus,
      order: 169,
      href: newBatchHref({}),
    },
    {
      id: 'batches',
      label: 'Batches',
      words: 'tasks agents attempts pass rate compare models report',
      icon: ListTree,
      order: 167,
      href: '/agents/batches',
    },
    {
      id: 'checks',
      label: 'Check a project',
      words: 'run tests verify pytest vitest sandbox',
      icon: ListChecks,
      order: 166,
      href: '/agents/checks',
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
} satisfies Feature
