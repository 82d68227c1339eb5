import type { RunCheckpoint } from '#contracts/entities/run.ts'
import type { Marker } from '#renderer/ui/curves/strokes.ts'

/** Checkpoints that are kept, and the best, kept or not: a long run has made hundreds, and few are left. */
export function markersOf(checkpoints: readonly RunCheckpoint[]): Marker[] {
  // each was the best so far when it was written: the last of them is
  const best = checkpoints.findLast((one) => one.best)?.step
  return checkpoints
    .filter(({ step, exists }) => exists || step === best)
    .map(({ step, exists }) => ({ step, best: step === best, label: exists ? `checkpoint ${step}` : `checkpoint ${step}, removed` }))
}
