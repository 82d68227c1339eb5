import type { ExamKind, ExamRun } from '#contracts/entities/exam.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const ALL_EXAMS = { href: '/evaluator', label: 'All exams' }

export const STATE_WORDS: Readonly<Record<ExamRun['state'], { label: string; tone: Tone }>> = {
  queued: { label: 'Waiting', tone: 'neutral' },
  running: { label: 'Asking', tone: 'accent' },
  paused: { label: 'Paused', tone: 'warn' },
  completed: { label: 'All asked', tone: 'neutral' },
  failed: { label: 'Stopped', tone: 'bad' },
  cancelled: { label: 'Cancelled', tone: 'neutral' },
}

/** What an exam is made of. */
export const itemWord = (kind: ExamKind): 'task' | 'call' => (kind === 'solved_tasks' ? 'task' : 'call')
