import type { RunHealth } from '#contracts/entities/run.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'

export interface Point {
  step: number
  /** Null: not finite. */
  value: number | null
}

/** What health is judged by: the newest points of some curves, oldest first, and the memory of the machine. */
export interface HealthInput {
  strategy: TrainStrategy
  /** Curves by TRL's names. */
  curves: Readonly<Record<string, readonly Point[]>>
  /** Tokens that carry loss; null: not known. */
  trainedTokens: number | null
  /** The learning rate of the settings; the newest below half of it: the schedule is ending. */
  learningRate?: number
  /** MB in use and in all, of the GPU if one is used, else of the machine. */
  memory: { used: number; total: number } | null
  /** Argument F1 of held-out calls with the base model, and how many there are. Absent: not measured. */
  baseCalls?: { f1: number; calls: number } | null
  /** While steps are taken: the time of the last event, and how long a reported step usually takes. Null: not known. */
  silence: { ms: number; typicalMs: number } | null
  /** The newest step. */
  step: number
}

// Thresholds of reference/system.md §7.
const PLATEAU = { afterStep: 50, window: 10, patience: 10, least: 5e-3 }
const DEGENERATE = { accuracy: 0.52, times: 3, afterStep: 10 }
/** Evaluations in a row with a growing loss while the training loss falls. */
const OVERFITTING = 3
const NO_SPREAD = 5
/** So many evaluations in a row with so much less argument F1 than the base model, over so many calls at least. */
const CALLS_LOST = { times: 2, less: 0.1, leastCalls: 10 }
/** A loss this many times its lowest, for so many points in a row. */
const DIVERGED = { times: 3, points: 5 }
const NEAR_LIMIT = 0.95
/** Silence of so many usual steps, and at least this long: a busy machine makes a step late too. */
const STALLED = { times: 10, leastMs: 60_000 }

/** What is off with a run, with the figures that say so. Pure: the same curves give the same words. */
export function assess(input: HealthInput): RunHealth[] {
  return [
    notFinite(input) ?? grown(input),
    zeroTokens(input),
    overfitting(input),
    plateau(input),
    degenerate(input),
    noSpread(input),
    callsLost(input),
    memoryNear(input),
    stalled(input),
  ].filter((found) => found !== null)
}

/** Curves that `assess` looks at. */
export const WATCHED = [
  'loss',
  'eval_loss',
  'eval_arg_f1',
  'rewards/accuracies',
  'reward_std',
  'frac_reward_zero_std',
  'grad_norm',
  'learning_rate',
] as const

type Finite = { step: number; value: number }
const curve = ({ curves }: HealthInput, name: (typeof WATCHED)[number]): readonly Point[] => curves[name] ?? []
const finite = (points: readonly Point[]): Finite[] => points.flatMap(({ step, value }) => (value === null ? [] : [{ step, value }]))
const mean = (points: readonly Finite[]): number => points.reduce((sum, { value }) => sum + value, 0) / points.length
const figure = (value: number) => Number(value.toPrecision(3))

/** A loss or gradient that is not finite, now or at an earlier point; the latter is reported unless the loss has grown since. */
function notFinite(input: HealthInput): RunHealth | null {
  const losses = curve(input, 'loss')
  const gaps = [losses, curve(input, 'grad_norm')].flatMap((points) => {
    const first = points.find(({ value }) => value === null)
    return first ? [{ first, behind: points[points.findLastIndex(({ value }) => value === null) + 1] }] : []
  })
  const gap = gaps.find(({ behind }) => behind === undefined) ?? gaps[0]
  if (!gap) return null
  const { first, behind } = gap
  const message = `A value was not finite at step ${first.step}.`
  if (behind) {
    const advice = `It has been finite again since step ${behind.step}. Check the rows before that step and whether the loss still reaches its usual level.`
    return grown(input) ?? { code: 'not_finite', message: `${message} ${advice}`, step: first.step, evidence: {} }
  }
  const hasBegun = losses.some(({ value, step }) => value !== null && step < first.step)
  const advice = hasBegun
    ? 'Lower the learning rate, or check the rows of that step.'
    : 'No earlier step was finite either: check the base model and the rows.'
  return { code: 'diverged', message: `${message} ${advice}`, step: first.step, evidence: {} }
}

/** The loss is many times its lowest, and has been for some points. */
function grown(input: HealthInput): RunHealth | null {
  const known = finite(curve(input, 'loss'))
  const recent = known.slice(-DIVERGED.points)
  if (known.length < 2 * DIVERGED.points) return null
  const lowest = Math.min(...known.map(({ value }) => value))
  const least = Math.min(...recent.map(({ value }) => value))
  if (lowest <= 0 || least < DIVERGED.times * lowest) return null
  const message = `The loss is ${figure(least / lowest)} times its lowest. Lower the learning rate.`
  const since = known[known.findLastIndex(({ value }) => value < DIVERGED.times * lowest) + 1]!.step
  return { code: 'diverged', message, step: since, evidence: { lowest: figure(lowest), now: figure(recent.at(-1)!.value) } }
}

function zeroTokens({ strategy, trainedTokens }: HealthInput): RunHealth | null {
  if (strategy !== 'sft' || trainedTokens !== 0) return null
  return { code: 'zero_tokens', message: 'No token is trained on, so the model learns nothing.', step: null, evidence: { trainedTokens } }
}

function overfitting(input: HealthInput): RunHealth | null {
  const evals = finite(curve(input, 'eval_loss'))
  const last = evals.slice(-(OVERFITTING + 1))
  if (last.length <= OVERFITTING) return null
  const rises = last.every(({ value }, at) => at === 0 || value > last[at - 1]!.value)
  const losses = finite(curve(input, 'loss'))
  const [before, after] = [losses.filter(({ step }) => step <= last[0]!.step), losses.filter(({ step }) => step > last[0]!.step)]
  if (!rises || before.length === 0 || after.length === 0) return null
  if (mean(after.slice(-5)) >= mean(before.slice(-5))) return null
  const best = evals.reduce((least, one) => (one.value < least.value ? one : least))
  const message = `The evaluation loss rose ${OVERFITTING} times in a row while the training loss fell: the model is memorising the rows. The best step was ${best.step}.`
  return { code: 'overfitting', message, step: best.step, evidence: { best: figure(best.value), now: figure(last.at(-1)!.value) } }
}

/** The mean over a window has not fallen by the least change for as many windows as the patience. */
function plateau(input: HealthInput): RunHealth | null {
  if (input.strategy === 'grpo' || input.strategy === 'rlvr') return null // there the loss is no measure of learning
  const rate = finite(curve(input, 'learning_rate')).at(-1)?.value
  if (rate !== undefined && input.learningRate !== undefined && rate < input.learningRate / 2) return null // small steps move little
  const { window, patience, afterStep, least } = PLATEAU
  const losses = finite(curve(input, 'loss'))
  if (losses.length < window + patience || (losses.at(-1)?.step ?? 0) <= afterStep) return null
  const means = Array.from({ length: patience + 1 }, (_, at) => {
    const end = losses.length - patience + at
    return mean(losses.slice(end - window, end))
  })
  const [first = 0, ...rest] = means
  if (Math.min(...rest) < first - least) return null
  const since = losses[losses.length - patience - 1]!.step
  const now = means.at(-1)!
  if (now > first * 1.5) return null // that is more than standing still
  const message = `The loss has not fallen since step ${since}. Training may be finished, or the learning rate is too low.`
  return { code: 'plateau', message, step: since, evidence: { before: figure(first), now: figure(now) } }
}

function degenerate(input: HealthInput): RunHealth | null {
  if (input.strategy !== 'dpo') return null
  const last = finite(curve(input, 'rewards/accuracies')).filter(({ step }) => step > DEGENERATE.afterStep).slice(-DEGENERATE.times) // prettier-ignore
  if (last.length < DEGENERATE.times || last.some(({ value }) => value > DEGENERATE.accuracy)) return null
  const message = `The model prefers the chosen answer in ${Math.round(100 * mean(last))} % of the pairs, no better than chance. The pairs may contradict each other, or the learning rate is too low.`
  return { code: 'degenerate', message, step: last[0]!.step, evidence: { accuracy: figure(last.at(-1)!.value) } }
}

/** The items at the end of a list that all pass the test. */
const lastOnes = (points: readonly Finite[], passes: (value: number) => boolean): readonly Finite[] =>
  points.slice(points.findLastIndex(({ value }) => !passes(value)) + 1)

function noSpread(input: HealthInput): RunHealth | null {
  if (input.strategy !== 'grpo' && input.strategy !== 'rlvr') return null
  const shares = finite(curve(input, 'frac_reward_zero_std'))
  const spreads = finite(curve(input, 'reward_std'))
  const flat = shares.length >= NO_SPREAD ? lastOnes(shares, (value) => value >= 1) : lastOnes(spreads, (value) => value === 0)
  if (flat.length < NO_SPREAD) return null
  const from = flat[0]!.step
  const message = `All answers to a prompt got the same reward for ${NO_SPREAD} points or more, so there is nothing to learn from. The task is too hard or too easy, or the reward never applies.`
  return { code: 'no_reward_spread', message, step: from, evidence: { spread: 0 } }
}

/** The model makes worse calls than the one it began as: the loss does not show it. */
function callsLost(input: HealthInput): RunHealth | null {
  const base = input.baseCalls
  if (!base || base.calls < CALLS_LOST.leastCalls) return null
  const isLess = (value: number) => value <= base.f1 - CALLS_LOST.less
  const lost = lastOnes(finite(curve(input, 'eval_arg_f1')).filter(({ step }) => step > 0), isLess) // prettier-ignore
  if (lost.length < CALLS_LOST.times) return null
  const now = lost.at(-1)!.value
  const message = `The model makes worse calls than its base: argument F1 of held-out calls is ${Math.round(100 * now)} %, with the base model ${Math.round(100 * base.f1)} %. Lower the learning rate, or check the calls in the rows.`
  return { code: 'calls_lost', message, step: lost[0]!.step, evidence: { base: figure(base.f1), now: figure(now) } }
}

function stalled({ silence, step }: HealthInput): RunHealth | null {
  if (silence === null) return null
  const allowedMs = Math.max(STALLED.leastMs, STALLED.times * silence.typicalMs)
  if (silence.ms <= allowedMs) return null
  const [usualSec, allowedSec] = [figure(silence.typicalMs / 1000), Math.round(allowedMs / 1000)]
  const message = `The trainer has not reported for more than ${allowedSec} s; a step usually takes ${usualSec} s. Check the log and the load of the machine, or cancel the run and resume from the last checkpoint.`
  return { code: 'stalled', message, step, evidence: { usualSec, allowedSec } }
}

function memoryNear({ memory }: HealthInput): RunHealth | null {
  if (!memory || memory.total <= 0 || memory.used < NEAR_LIMIT * memory.total) return null
  const message = `${Math.round((100 * memory.used) / memory.total)} % of the memory is in use. The system may kill the run. Close other programs, or run again with a smaller micro-batch size or max length.`
  return {
    code: 'memory_near_limit',
    message,
    step: null,
    evidence: { usedMb: Math.round(memory.used), totalMb: Math.round(memory.total) },
  }
}
