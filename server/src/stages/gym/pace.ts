import type { TrainerEvent } from '#contracts/trainer.ts'

/** How regularly a trainer reports its steps, in ms of its clock. */
export interface Pace {
  /** The newest event, except for machine figures, which a separate thread sends. */
  heardAt: number | null
  /** The newest step of this stretch of training. */
  stepAt: number | null
  /** Times between reported steps, the newest last. */
  gaps: readonly number[]
}

export const NO_PACE: Pace = { heardAt: null, stepAt: null, gaps: [] }

const MAX_GAPS = 9
const MIN_GAPS = 3

/** The pace after one more event. `begins`: the event is the first of a trainer process. Pure. */
export function addToPace(pace: Pace, event: TrainerEvent, at: number, isSessionStart: boolean): Pace {
  if (isSessionStart) return { ...NO_PACE, heardAt: at }
  if (event.type === 'system') return pace
  if (event.type === 'phase') return { ...pace, heardAt: at, stepAt: null } // the time since the last step includes something else
  if (event.type !== 'progress' || event.metrics['loss'] === undefined) return { ...pace, heardAt: at }
  const gaps = pace.stepAt === null ? pace.gaps : [...pace.gaps, at - pace.stepAt].slice(-MAX_GAPS)
  return { heardAt: at, stepAt: at, gaps }
}

/** Time since the last event, and the typical time between two reported steps; null while there are too few steps. */
export function silenceOf({ heardAt, gaps }: Pace, now: number): { ms: number; typicalMs: number } | null {
  if (heardAt === null || gaps.length < MIN_GAPS) return null
  const typicalMs = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]!
  return { ms: now - heardAt, typicalMs }
}
