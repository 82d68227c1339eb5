import type { TrainerEvent } from '#contracts/trainer.ts'

/** How regularly a trainer reports its steps. All in ms of its own clock. */
export interface Pace {
  /** Its newest word, figures of the machine left out: those come from a thread of their own. */
  heardAt: number | null
  /** The newest step of this stretch of training. */
  stepAt: number | null
  /** Between reported steps, the newest last. */
  gaps: readonly number[]
}

export const NO_PACE: Pace = { heardAt: null, stepAt: null, gaps: [] }

const KEPT = 9
const LEAST_KNOWN = 3

/** The pace after one more event. Pure. `begins`: a process of the trainer began with it. */
export function addToPace(pace: Pace, event: TrainerEvent, at: number, begins: boolean): Pace {
  if (begins) return { ...NO_PACE, heardAt: at }
  if (event.type === 'system') return pace
  if (event.type === 'phase') return { ...pace, heardAt: at, stepAt: null } // the time between is no step
  if (event.type !== 'progress' || event.metrics['loss'] === undefined) return { ...pace, heardAt: at }
  const gaps = pace.stepAt === null ? pace.gaps : [...pace.gaps, at - pace.stepAt].slice(-KEPT)
  return { heardAt: at, stepAt: at, gaps }
}

/** Time since the last event, and the usual time between two reported steps; null: not known yet. */
export function silenceOf({ heardAt, gaps }: Pace, now: number): { ms: number; typicalMs: number } | null {
  if (heardAt === null || gaps.length < LEAST_KNOWN) return null
  const typicalMs = gaps.toSorted((a, b) => a - b)[Math.floor(gaps.length / 2)]!
  return { ms: now - heardAt, typicalMs }
}
