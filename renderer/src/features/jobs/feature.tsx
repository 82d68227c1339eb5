import { ListChecks } from 'lucide-react'
import { lazy } from 'react'
import { jobMessages } from '#renderer/api/jobs.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { WorkItem } from './status.tsx'

const JobsPage = lazy(() => import('./page.tsx'))

export const jobs = {
  pages: [{ path: '/jobs', page: (_, features) => <JobsPage features={features} /> }],
  messages: [jobMessages],
  useCommands: () => [{ id: 'jobs', label: 'Jobs', words: 'background work progress queue', icon: ListChecks, order: 130, href: '/jobs' }],
  status: [{ side: 'left', order: 30, Item: WorkItem }],
} satisfies Feature
