import { lookup } from '#contracts/lookup.ts'
import type { ShellTaskSource, ShellValidation, ShellVerdict, ShellVerdictName } from '#contracts/entities/shell-task.ts'
import type { Tone } from '#renderer/ui/badge.tsx'

export const ALL_SHELL_TASKS = { href: '/shell-tasks', label: 'All shell tasks' }

export const STATUS_WORDS: Record<ShellValidation['status'] | 'none', { label: string; tone: Tone; description: string }> = {
  valid: { label: 'Valid', tone: 'ok', description: 'All six verdicts pass.' },
  invalid: { label: 'Invalid', tone: 'bad', description: 'At least one verdict fails.' },
  unknown: { label: 'Unknown', tone: 'warn', description: 'No verdict fails, but at least one could not be determined.' },
  none: { label: 'Not validated', tone: 'neutral', description: 'Not validated yet, or changed since.' },
}

export const VERDICT_WORDS: Record<ShellVerdict['verdict'], { label: string; tone: Tone }> = {
  pass: { label: 'Pass', tone: 'ok' },
  fail: { label: 'Fail', tone: 'bad' },
  unknown: { label: 'Unknown', tone: 'warn' },
}

export const VERDICT_NAMES: Record<ShellVerdictName, { label: string; description: string }> = {
  setup_ok: { label: 'Set-up works', description: 'Every set-up command succeeds in a fresh sandbox.' },
  fails_untouched: { label: 'Fails untouched', description: 'The check always fails before any work is done.' },
  solvable: { label: 'Solvable', description: 'The reference solution or enough attempts of a model pass the check.' },
  not_trivial: { label: 'Not trivial', description: 'Creating, emptying or deleting the named files does not pass the check.' },
  no_leak: { label: 'No leak', description: 'The set-up does not reveal the check or the expected content.' },
  side_effect_free: { label: 'No side effects', description: 'The check does not change any file.' },
}

export const SOURCE_WORDS: Record<ShellTaskSource, string> = {
  imported: 'Imported',
  starter: 'Starter set',
  generated: 'Generated',
  session: 'From a session',
  own: 'Your own',
}

export const DIFFICULTY_WORDS: Record<string, string> = lookup({
  1: '1: one command',
  2: '2: a pipeline',
  3: '3: dependent steps',
  4: '4: text processing',
  none: 'Not given',
})
