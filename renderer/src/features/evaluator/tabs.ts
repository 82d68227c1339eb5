import { benchmarksHref, THERMOMETER_HREF } from '#renderer/app/links.ts'

export const EVALUATOR_TABS = {
  label: 'Evaluator',
  tabs: [
    { id: 'exams', href: '/evaluator', label: 'Exams' },
    { id: 'thermometer', href: THERMOMETER_HREF, label: 'Thermometer' },
    { id: 'benchmarks', href: benchmarksHref, label: 'Benchmarks' },
    { id: 'answers', href: '/evaluator/answers', label: 'Answers' },
    { id: 'sets', href: '/evaluator/sets', label: 'Own sets' },
  ],
} as const
