import type { RunCheckpoint } from '#contracts/entities/run.ts'
import type { Marker } from '#renderer/ui/curves/strokes.ts'

/** Markers for the checkpoints that still exist and for the best one, even if it was removed. */
export function markersOf(checkpoints: readonly RunCheckpoint[]): Marker[] {
  // `best` marks each checkpoint that was the best so far, so the last one is the best overall
  const best = checkpoints.findLast((one) => one.best)?.step
  return checkpoints
    .filter(({ step, exists }) => exists || step === best)
    .map(({ step, exists }) => ({ step, best: step === best, label: exists ? `checkpoint ${step}` : `checkpoint ${step}, removed` }))
}
