import { GraduationCap } from 'lucide-react'
import { lazy } from 'react'
import { Exam } from '#contracts/entities/exam.ts'
import { VERDICT_WORDS } from '#contracts/exam-words.ts'
import { examMessages } from '#renderer/api/exams.ts'
import type { Feature } from '#renderer/app/feature.ts'
import { wordsFor } from '#renderer/app/job-words.ts'
import { examHref, examRunHref } from '#renderer/app/links.ts'
import { plural } from '#renderer/ui/format.ts'

const EvaluatorPage = lazy(() => import('./page.tsx'))

export const evaluator = {
  sections: [
    {
      group: 'models',
      path: '/evaluator',
      label: 'Evaluator',
      icon: GraduationCap,
      words: 'exam held-out proof is it better verdict certificate evaluate judge',
    },
  ],
  pages: [{ path: '/evaluator/*?', page: (params) => <EvaluatorPage rest={params['*'] ?? ''} /> }],
  messages: [examMessages],
  jobs: [
    {
      kind: 'exam',
      name: 'Exam',
      outcome: wordsFor(Exam, ({ id, items, sessions }) => ({
        sentence: `${plural(items, 'call')} of ${plural(sessions, 'session')}`,
        link: { href: examHref(id), label: 'Open exam' },
      })),
    },
  ],
  notices: {
    'evaluation:complete': ({ run: { id, examId, labels, verdict, state } }) =>
      state === 'completed' && verdict === null
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
    'evaluation:failed': ({ run: { labels, detail } }) => ({
      kind: 'jobs',
      title: `${labels.model}: the exam stopped`,
      body: detail ?? '',
      when: 'failure',
    }),
  },
} satisfies Feature
