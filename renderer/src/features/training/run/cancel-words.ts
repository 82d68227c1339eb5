import type { Run } from '#contracts/entities/run.ts'
import { formatCount } from '#renderer/ui/format.ts'

/** Texts of the cancel dialog. `keep` labels the button that saves what was learned; null if there is nothing to save. */
export function cancelWords({ state, step }: Pick<Run, 'state' | 'step'>): { description: string; keep: string | null; drop: string } {
  if (state === 'running' || state === 'pausing')
    return {
      description: `Its curves and log are kept. Saving a model keeps the weights as of step ${formatCount(Math.max(1, step))}; the run cannot be resumed after that. To resume it later, pause it instead.`,
      keep: 'End and save model',
      drop: 'Cancel without saving',
    }
  if (step === 0) return { description: 'Nothing has been trained yet. The log is kept.', keep: null, drop: 'Cancel run' }
  return {
    description: `Its curves and log are kept. It can be resumed later from its checkpoint; its last step was ${formatCount(step)}.`,
    keep: 'Cancel and keep checkpoint',
    drop: 'Cancel without checkpoint',
  }
}
