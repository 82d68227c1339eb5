import type { RouteCause } from '#contracts/entities/routing.ts'
import type { RoutingStrategy } from '#contracts/settings/router.ts'
import { DASH, formatCount, formatUsd } from '#renderer/ui/format.ts'

export const STRATEGY_WORDS: Record<RoutingStrategy, { label: string; hint: string }> = {
  teacher_only: { label: 'Teacher only', hint: 'Everything goes to Claude.' },
  student_only: { label: 'Student only', hint: 'Everything goes to your model.' },
  confidence_based: {
    label: 'By confidence',
    hint: 'Your model, if at least the limit of its answers on held-out work are right, with 95 % confidence.',
  },
  task_complexity: { label: 'By complexity', hint: 'Your model takes tasks that look simple by the words of the prompt.' },
  progressive: { label: 'Progressive', hint: 'Begins with a small share, which follows the reported results.' },
  random_sample: { label: 'Half and half', hint: 'A random half goes to your model, to compare both.' },
}

/** What decided where a request went. */
export const CAUSE_WORDS: Record<RouteCause, string> = {
  passed: 'passed on',
  safety: 'safety check',
  main: 'conversation with you',
  agent: 'agent of Claude',
  fork: 'fork',
  auto_mode: 'auto mode of an older client',
  strategy: 'strategy',
  named: 'by its name',
}

export const ms = (value: number | null): string => (value === null ? DASH : `${formatCount(Math.round(value))} ms`)

/** Under a dollar to a tenth of a cent: both ends of an interval would look alike otherwise. */
export const dollars = (value: number | null): string =>
  value !== null && value >= 0.001 && value < 1 ? `$${value.toFixed(3)}` : formatUsd(value)
