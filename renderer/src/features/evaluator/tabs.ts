import { benchmarksHref } from '#renderer/app/links.ts'

export const EVALUATOR_TABS = {
  label: 'Evaluator',
  tabs: [
    { id: 'exams', href: '/evaluator', label: 'Exams' },
    { id: 'benchmarks', href: benchmarksHref, label: 'Benchmarks' },
  ],
} as const
