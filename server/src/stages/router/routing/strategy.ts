import type { RouterSettings, RoutingStrategy } from '#contracts/settings/router.ts'

type Model = 'teacher' | 'student'

export interface Facts {
  complexity: number
  /** What proves the student: the lower end of its interval. Null if it took no exam. */
  proof: number | null
  threshold: number
  /** Share of the student under `progressive`. */
  rate: number
  /** The place of this conversation in [0, 1), the same each time it is asked about. */
  draw: number
}

export interface Choice {
  model: Model
  confidence: number | null
  reason: string
}

const SIMPLE = 0.5
const HALF = 0.5
const GOOD = 0.8
const BAD = 0.5
const STEP = 0.05

const share = (value: number): string => `${Math.round(value * 100)} %`

const STRATEGIES: Record<RoutingStrategy, (facts: Facts) => Choice> = {
  teacher_only: () => ({ model: 'teacher', confidence: null, reason: 'The strategy sends everything to the teacher.' }),
  student_only: ({ proof }) => ({ model: 'student', confidence: proof, reason: 'The strategy sends everything to the student.' }),
  confidence_based({ proof, threshold }) {
    if (proof === null)
      return { model: 'teacher', confidence: null, reason: 'No data yet: the student has no result of an exam of this kind.' }
    const isEnough = proof >= threshold
    return {
      model: isEnough ? 'student' : 'teacher',
      confidence: proof,
      reason: `At least ${share(proof)} right on held-out work, ${isEnough ? 'which reaches' : 'below'} the limit of ${share(threshold)}.`,
    }
  },
  task_complexity({ complexity }) {
    const isSimple = complexity <= SIMPLE
    return {
      model: isSimple ? 'student' : 'teacher',
      confidence: isSimple ? Math.round((1 - complexity) * 10) / 10 : complexity,
      reason: `By its words the task has a complexity of ${complexity}; the student takes tasks up to ${SIMPLE}.`,
    }
  },
  progressive: ({ proof, rate, draw }) => drawn(draw, rate, proof),
  random_sample: ({ proof, draw }) => drawn(draw, HALF, proof),
}

const drawn = (draw: number, rate: number, confidence: number | null): Choice => {
  const isStudent = draw < rate
  return {
    model: isStudent ? 'student' : 'teacher',
    confidence,
    reason: `The student takes ${share(rate)} of conversations; this one is ${isStudent ? '' : 'not '}among them.`,
  }
}

export const choose = (strategy: RoutingStrategy, facts: Facts): Choice => STRATEGIES[strategy](facts)

/** The share of conversations that a strategy gives to the student; null if it depends on the prompt. */
export function shareOf(strategy: RoutingStrategy, { proof, threshold, rate }: Pick<Facts, 'proof' | 'threshold' | 'rate'>): number | null {
  if (strategy === 'task_complexity') return null
  if (strategy === 'progressive') return rate
  if (strategy === 'random_sample') return HALF
  return choose(strategy, { complexity: 0, proof, threshold, rate, draw: 0 }).model === 'student' ? 1 : 0
}

/** The share of `progressive` after a report. */
export function rateAfter(
  rate: number,
  successRate: number,
  { studentSampleRate: start, maxStudentRate: most }: Pick<RouterSettings, 'studentSampleRate' | 'maxStudentRate'>,
): number {
  const moved = successRate > GOOD ? rate + STEP : successRate < BAD ? rate - STEP : rate
  return within(Math.round(moved * 100) / 100, start, most)
}

/** The bounds may have been set since; a start above the largest share gives the largest share. */
export const within = (rate: number, start: number, most: number): number => Math.min(Math.max(rate, start), most)
