import { Database, GitCompareArrows, MessagesSquare, Sparkles, Upload } from 'lucide-react'
import { lazy } from 'react'
import { datasetMessages } from '#renderer/api/datasets.ts'
import { exampleMessages } from '#renderer/api/examples.ts'
import { pairMessages } from '#renderer/api/pairs.ts'
import type { Command, Feature } from '#renderer/app/feature.ts'
import { FACTORY_JOBS } from './jobs.ts'

const FactoryPage = lazy(() => import('./page.tsx'))

const COMMANDS: readonly Command[] = [
  {
    id: 'make-examples',
    label: 'Make examples of sessions',
    words: 'training rows segments',
    icon: MessagesSquare,
    order: 90,
    href: '/factory/examples/new',
  },
  {
    id: 'generate',
    label: 'Generate more examples with a model',
    words: 'synthetic augment grow variants tasks',
    icon: Sparkles,
    order: 100,
    href: '/factory/examples/grow',
  },
  {
    id: 'new-dataset',
    label: 'New data set',
    words: 'dataset build recipe version train validation split',
    icon: Database,
    order: 110,
    href: '/factory/datasets/new',
  },
  {
    id: 'import-rows',
    label: 'Import rows from a file',
    words: 'dataset jsonl parquet',
    icon: Upload,
    order: 120,
    href: '/factory/datasets/import',
  },
]

export const factory = {
  sections: [
    { group: 'data', path: '/factory/examples', label: 'Examples', icon: MessagesSquare, words: 'factory training examples review' },
    { group: 'data', path: '/factory/pairs', label: 'Pairs', icon: GitCompareArrows, words: 'factory preference chosen rejected dpo' },
    {
      group: 'data',
      path: '/factory/datasets',
      label: 'Data sets',
      icon: Database,
      words: 'factory datasets dataset versions rows export',
    },
  ],
  pages: [{ path: '/factory/:tab?/*?', page: (params) => <FactoryPage tab={params['tab']} rest={params['*'] ?? ''} /> }],
  messages: [exampleMessages, pairMessages, datasetMessages],
  useCommands: () => COMMANDS,
  jobs: FACTORY_JOBS,
} satisfies Feature
