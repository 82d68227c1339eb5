import { GraduationCap } from 'lucide-react'
import { lazy } from 'react'
import { BenchmarkFetched } from '#contracts/entities/benchmark.ts'
import { Exam } from '#contracts/entities/exam.ts'
import { VERDICT_WORDS } from '#contracts/exam-words.ts'
import { benchmarkMessages } from '#renderer/api/benchmarks.ts'
import { examMessages } from '#renderer/api/exams.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { wordsFor } from '#renderer/app/job-words.ts'
import { benchmarksHref, examHref } from '#renderer/app/links.ts'
import { formatBytes, formatPercent, plural } from '#renderer/ui/format.ts'

const EvaluatorPage = lazy(() => import('./page.tsx'))

export const evaluator = {
  sections: [
    {
      group: 'models',
      path: '/evaluator',
      label: 'Evaluator',
      icon: GraduationCap,
      words: 'exam held-out proof is it better verdict certificate evaluate judge benchmark humaneval mbpp gsm8k bfcl arc bbq pass@k',
    },
  ],
  pages: [{ path: '/evaluator/*?', page: (params) => <EvaluatorPage rest={params['*'] ?? ''} /> }],
  messages: [examMessages, benchmarkMessages],
  jobs: [
    {
      kind: 'benchmark-fetch',
      name: 'Fetch a benchmark',
      outcome: wordsFor(BenchmarkFetched, ({ benchmark, bytes }) => ({
        sentence: `${benchmark}, ${formatBytes(bytes)}`,
        link: { href: benchmarksHref, label: 'Open benchmarks' },
      })),
    },
    {
      kind: 'exam',
      name: 'Exam',
      outcome: wordsFor(Exam, ({ id, items, sessions }) => ({
        sentence: `${plural(items, 'call')} of ${plural(sessions, 'session')}`,
        link: { href: examHref(id), label: 'Open exam' },
      })),
    },
  ],
  useCommands: () => [
    {
      id: 'benchmarks',
      label: 'Go to Benchmarks',
      words: 'humaneval mbpp gsm8k bfcl arc bbq pass@k',
      icon: GraduationCap,
      order: 162,
      href: benchmarksHref,
    },
  ],
  notices: {
    'benchmark:complete': ({ run: { label, title, state, value } }) =>
      state === 'done'
        ? {
            kind: 'jobs',
            title: `${label}: ${title}`,
            body: value === null ? 'No figure: too many errors.' : `${formatPercent(value, 1)} right`,
            when: 'always',
          }
        : null,
    'benchmark:failed': ({ run: { label, title, detail } }) => ({
      kind: 'jobs',
      title: `${label}: ${title} stopped`,
      body: detail ?? '',
      when: 'failure',
    }),
    'evaluation:complete': ({ run: { labels, verdict, state } }) =>
      state === 'completed' && verdict === null
        ? { kind: 'jobs', title: `${labels.model}: the exam was taken`, body: 'Open it to see the verdict.', when: 'always' }
        : verdict === null
          ? null
          : { kind: 'jobs', title: `${labels.model}: ${VERDICT_WORDS[verdict]}`, body: `Compared with ${labels.base}.`, when: 'always' },
    'evaluation:failed': ({ run: { labels, detail } }) => ({
      kind: 'jobs',
      title: `${labels.model}: the exam stopped`,
      body: detail ?? '',
      when: 'failure',
    }),
  },
} satisfies Feature
