import type { Run } from '#contracts/entities/run.ts'
import { formatCount } from '#renderer/ui/format.ts'

/** What ending a run does now: with what it has learned (`keep`; null: there is nothing to keep), and without. */
export function cancelWords({ state, step }: Pick<Run, 'state' | 'step'>): { says: string; keep: string | null; drop: string } {
  if (state === 'running' || state === 'pausing')
    return {
      says: `Its curves and its log stay. Ended with what it learned, it saves its weights as of step ${formatCount(Math.max(1, step))} and leaves a model; it does not go on after that. To go on later, pause it instead.`,
      keep: 'End with what it learned',
      drop: 'Cancel without',
    }
  if (step === 0) return { says: 'It has not learned anything yet. Its log stays.', keep: null, drop: 'Cancel the run' }
  return {
    says: `Its curves and its log stay. With the checkpoint that it has it can go on later; step ${formatCount(step)} was its last.`,
    keep: 'Keep its checkpoint',
    drop: 'Cancel without',
  }
}
