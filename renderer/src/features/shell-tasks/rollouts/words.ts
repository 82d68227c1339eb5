import { Ban, CheckCheck, CircleCheck, CircleX, Loader, type LucideIcon, Scissors, TriangleAlert } from 'lucide-react'
import type { Episode, RolloutSet, RolloutState, RolloutStats } from '#contracts/entities/rollout.ts'
import { lookup } from '#contracts/lookup.ts'
import { DASH, formatCount, plural } from '#renderer/ui/format.ts'
import { rateSentence } from '#renderer/app/rates.tsx'
import type { CollectionState } from '#renderer/app/collections.tsx'

export const SET_STATES: Record<RolloutState, CollectionState> = {
  running: { label: 'Running', tone: 'accent', icon: Loader, description: 'Its episodes are running.' },
  done: { label: 'Done', tone: 'neutral', icon: CheckCheck, description: 'All of its episodes have ended.' },
  cancelled: { label: 'Cancelled', tone: 'neutral', icon: Ban, description: 'Cancelled before all of its episodes ended.' },
  stopped: { label: 'Stopped', tone: 'warn', icon: TriangleAlert, description: 'Stopped because too many episodes failed.' },
}

/** Shown if no model is named. */
export const DEFAULT_MODEL = 'default model of the endpoint'

type EndedEpisode = Pick<Episode, 'status' | 'success'>

export function outcomeOf({ status, success }: EndedEpisode): { label: string; icon: LucideIcon; ink: string } {
  if (status === 'corrupted') return { label: 'Cut off', icon: Scissors, ink: 'text-warn' }
  if (status === 'error') return { label: 'Error', icon: TriangleAlert, ink: 'text-warn' }
  return success ? { label: 'Solved', icon: CircleCheck, ink: 'text-ok' } : { label: 'Not solved', icon: CircleX, ink: 'text-bad' }
}

export const BOUNDARIES: Readonly<Record<string, string>> = lookup({
  endpoint: 'the endpoint of the model',
  engine: 'the sandbox engine',
  setup: 'the set-up of the task',
  check: 'the check of the task',
  ours: 'Bash Gym',
})

/** Labels of the reward terms, by the names that trainers log. */
export const TERMS: Readonly<Record<string, string>> = lookup({
  success: 'Success',
  success_term: 'Success term',
  length_factor: 'Length factor',
  exit_penalty: 'Exit penalty',
  exit_error_rate: 'Share of turns with a non-zero exit code',
  nonzero_exit_codes: 'Turns with a non-zero exit code',
  fail_penalty: 'Fail penalty',
  turns: 'Turns',
})

/** "−0.02", or a dash. */
export const rewardWord = (reward: number | null): string => (reward === null ? DASH : reward.toFixed(2).replace('-', '−'))

export const unansweredWord = (hasEnded: boolean): string => (hasEnded ? 'No episode was answered.' : 'No episode was answered yet.')

export function solvedSentence({ success, corrupted, errors }: RolloutStats, hasEnded: boolean): string {
  const errorCount = errors.reduce((sum, { episodes }) => sum + episodes, 0)
  return rateSentence({
    passed: success.solved,
    of: success.n,
    tasks: success.tasks,
    noun: 'episode',
    verb: 'solved',
    unknown: unansweredWord(hasEnded),
    notCounted: [corrupted > 0 && `${formatCount(corrupted)} cut off`, errorCount > 0 && `${formatCount(errorCount)} with an error`],
  })
}

/** "3 solved, 1 not solved, 2 errors" */
export function countsLine({ ok, solved, corrupted, error }: RolloutSet['counts']): string {
  const words = [
    solved > 0 && `${formatCount(solved)} solved`,
    ok > solved && `${formatCount(ok - solved)} not solved`,
    corrupted > 0 && `${formatCount(corrupted)} cut off`,
    error > 0 && plural(error, 'error'),
  ]
  return words.filter(Boolean).join(', ')
}
