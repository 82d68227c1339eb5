import { GraduationCap, ListChecks, MessageSquareQuote, Thermometer } from 'lucide-react'
import { lazy } from 'react'
import { BenchmarkFetched } from '#contracts/entities/benchmark.ts'
import { Exam } from '#contracts/entities/exam.ts'
import { VERDICT_WORDS } from '#contracts/exam-words.ts'
import { benchmarkMessages } from '#renderer/api/benchmarks.ts'
import { AnswerRun } from '#contracts/entities/answer.ts'
import { answerMessages } from '#renderer/api/answers.ts'
import { examMessages } from '#renderer/api/exams.ts'
import { thermometerMessages } from '#renderer/api/thermometer.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { wordsFor } from '#renderer/app/job-words.ts'
import { benchmarksHref, examHref, examRunHref, THERMOMETER_HREF } from '#renderer/app/links.ts'
import { formatBytes, formatPercent, plural } from '#renderer/ui/format.ts'

import { answersHref } from './answers/words.ts'
import { itemWord } from './words.ts'

const EvaluatorPage = lazy(() => import('./page.tsx'))

export const evaluator = {
  sections: [
    {
      group: 'models',
      path: '/evaluator',
      label: 'Evaluator',
      icon: GraduationCap,
      words:
        'exam solved tasks held-out proof is it better verdict certificate evaluate judge benchmark humaneval mbpp gsm8k bfcl arc bbq pass@k grade rubric label agreement own set thermometer schedule drift',
    },
  ],
  pages: [{ path: '/evaluator/*?', page: (params) => <EvaluatorPage rest={params['*'] ?? ''} /> }],
  useCommands: () => [
    {
      id: 'grade-sessions',
      label: 'Grade sessions',
      words: 'judge rubric score answers model opinion label agreement',
      icon: MessageSquareQuote,
      order: 174,
      href: '/evaluator/answers?q=',
    },
    {
      id: 'thermometer',
      label: 'Go to Thermometer',
      words: 'schedule weekly monthly drift did claude get worse new version exam again',
      icon: Thermometer,
      order: 163,
      href: THERMOMETER_HREF,
    },
    {
      id: 'own-sets',
      label: 'Own evaluation sets',
      words: 'custom cases check regex exact json schema rubric evaluate',
      icon: ListChecks,
      order: 175,
      href: '/evaluator/sets',
    },
    {
      id: 'benchmarks',
      label: 'Go to Benchmarks',
      words: 'humaneval mbpp gsm8k bfcl arc bbq pass@k',
      icon: GraduationCap,
      order: 162,
      href: benchmarksHref,
    },
  ],
  messages: [examMessages, thermometerMessages, benchmarkMessages, answerMessages],
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
      kind: 'answers',
      name: 'Texts to grade',
      outcome: wordsFor(AnswerRun, ({ id, items }) => ({
        sentence: plural(items, 'text'),
        link: { href: answersHref(id), label: 'Open run' },
      })),
    },
    {
      kind: 'exam',
      name: 'Exam',
      outcome: wordsFor(Exam, ({ id, kind, items, sessions }) => ({
        sentence: `${plural(items, itemWord(kind))} of ${plural(sessions, 'session')}`,
        link: { href: examHref(id), label: 'Open exam' },
      })),
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
    'evaluation:complete': ({ run: { id, examId, labels, verdict, state, isReading } }) =>
      isReading
        ? {
            kind: 'jobs',
            title: `${labels.model}: a reading was taken`,
            body: 'Open the thermometer to see what changed.',
            link: { href: THERMOMETER_HREF, label: 'Open thermometer' },
            when: 'away',
          }
        : state === 'completed' && verdict === null
          ? {
              kind: 'jobs',
              title: `${labels.model}: the exam was taken`,
              body: 'Open it to see the verdict.',
              link: { href: examRunHref(examId, id), label: 'Open verdict' },
              when: 'always',
            }
          : verdict === null
            ? null
            : {
                kind: 'jobs',
                title: `${labels.model}: ${VERDICT_WORDS[verdict]}`,
                body: `Compared with ${labels.base}.`,
                link: { href: examRunHref(examId, id), label: 'Open verdict' },
                when: 'always',
              },
    'answers:status': ({ run: { state, title, detail } }) =>
      state === 'done'
        ? { kind: 'jobs', title: `${title}: graded`, body: 'Open it to see the grades.', when: 'away' }
        : state === 'stopped'
          ? { kind: 'jobs', title: `${title}: grading stopped`, body: detail ?? '', when: 'failure' }
          : null,
    'evaluation:failed': ({ run: { labels, detail } }) => ({
      kind: 'jobs',
      title: `${labels.model}: the exam stopped`,
      body: detail ?? '',
      when: 'failure',
    }),
  },
} satisfies Feature
