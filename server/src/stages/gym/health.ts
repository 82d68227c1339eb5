import type { RunHealth } from '#contracts/entities/run.ts'
import type { TrainStrategy } from '#contracts/trainer.ts'

export interface Point {
  step: number
  /** Null: not finite. */
  value: number | null
}

/** Input of `assess`: the newest points of some curves, oldest first, and the machine's memory. */
export interface HealthInput {
  strategy: TrainStrategy
  /** Curves by TRL's names. */
  curves: Readonly<Record<string, readonly Point[]>>
  /** Tokens that carry loss; null if unknown. */
  trainedTokens: number | null
  /** The learning rate in the settings. A current rate below half of it means that the schedule is ending. */
  learningRate?: number
  /** MB in use and in total: of the GPU if one is used, otherwise of the machine. */
  memory: { used: number; total: number } | null
  /** Argument F1 of the base model on held-out calls, and how many calls there are. Absent or null if not measured. */
  baseCalls?: { f1: number; calls: number } | null
  /** During training: time since the last event, and how long a reported step usually takes. Null if unknown. */
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
const NO_GRADIENT = 10
/** More than this share of the answers was cut off in so many `points` in a row. */
const CUT_OFF = { share: 0.5, points: 5 }
/** `times` evaluations in a row have an argument F1 at least `less` below the base model's, over at least `leastCalls` calls. */
const CALLS_LOST = { times: 2, less: 0.1, leastCalls: 10 }
/** The loss is this many `times` its lowest for so many `points` in a row. */
const DIVERGED = { times: 3, points: 5 }
const NEAR_LIMIT = 0.95
/** Silence of this many typical steps, but at least `leastMs`, because a busy machine also delays steps. */
const STALLED = { times: 10, leastMs: 60_000 }

/** The problems of a run, with the figures that show them. Pure. */
export function assess(input: HealthInput): RunHealth[] {
  return [
    notFinite(input) ?? grownLoss(input),
    zeroTokens(input),
    overfitting(input),
    plateau(input),
    degenerate(input),
    noGradient(input) ?? noSpread(input),
    cutOff(input),
    callsLost(input),
    memoryNearLimit(input),
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
  'reward',
  'zero_variance_share',
  'frac_reward_zero_std',
  'corrupted_share',
  'completions/clipped_ratio',
  'grad_norm',
  'learning_rate',
] as const

type Finite = { step: number; value: number }
const curveOf = ({ curves }: HealthInput, name: (typeof WATCHED)[number]): readonly Point[] => curves[name] ?? []
const finite = (points: readonly Point[]): Finite[] => points.flatMap(({ step, value }) => (value === null ? [] : [{ step, value }]))
const mean = (points: readonly Finite[]): number => points.reduce((sum, { value }) => sum + value, 0) / points.length
const rounded = (value: number) => Number(value.toPrecision(3))

/** A loss or gradient that is not finite. If it has become finite again, a loss that grew since is reported instead. */
function notFinite(input: HealthInput): RunHealth | null {
  const losses = curveOf(input, 'loss')
  const gaps = [losses, curveOf(input, 'grad_norm')].flatMap((points) => {
    const first = points.find(({ value }) => value === null)
    return first ? [{ first, recovery: points[points.findLastIndex(({ value }) => value === null) + 1] }] : []
  })
  const gap = gaps.find(({ recovery }) => recovery === undefined) ?? gaps[0]
  if (!gap) return null
  const { first, recovery } = gap
  const message = `A value was not finite at step ${first.step}.`
  if (recovery) {
    const advice = `It has been finite again since step ${recovery.step}. Check the rows before that step and whether the loss still reaches its usual level.`
    return grownLoss(input) ?? { code: 'not_finite', message: `${message} ${advice}`, step: first.step, evidence: {} }
  }
  const hasBegun = losses.some(({ value, step }) => value !== null && step < first.step)
  const advice = hasBegun
    ? 'Lower the learning rate, or check the rows of that step.'
    : 'No earlier step was finite either: check the base model and the rows.'
  return { code: 'diverged', message: `${message} ${advice}`, step: first.step, evidence: {} }
}

function grownLoss(input: HealthInput): RunHealth | null {
  const losses = finite(curveOf(input, 'loss'))
  const recent = losses.slice(-DIVERGED.points)
  if (losses.length < 2 * DIVERGED.points) return null
  const lowest = Math.min(...losses.map(({ value }) => value))
  const least = Math.min(...recent.map(({ value }) => value))
  if (lowest <= 0 || least < DIVERGED.times * lowest) return null
  const message = `The loss is ${rounded(least / lowest)} times its lowest. Lower the learning rate.`
  const since = losses[losses.findLastIndex(({ value }) => value < DIVERGED.times * lowest) + 1]!.step
  return { code: 'diverged', message, step: since, evidence: { lowest: rounded(lowest), now: rounded(recent.at(-1)!.value) } }
}

function zeroTokens({ strategy, trainedTokens }: HealthInput): RunHealth | null {
  if (strategy !== 'sft' || trainedTokens !== 0) return null
  return { code: 'zero_tokens', message: 'No token is trained on, so the model learns nothing.', step: null, evidence: { trainedTokens } }
}

function overfitting(input: HealthInput): RunHealth | null {
  const evals = finite(curveOf(input, 'eval_loss'))
  const last = evals.slice(-(OVERFITTING + 1))
  if (last.length <= OVERFITTING) return null
  const rises = last.every(({ value }, at) => at === 0 || value > last[at - 1]!.value)
  const losses = finite(curveOf(input, 'loss'))
  const [before, after] = [losses.filter(({ step }) => step <= last[0]!.step), losses.filter(({ step }) => step > last[0]!.step)]
  if (!rises || before.length === 0 || after.length === 0) return null
  if (mean(after.slice(-5)) >= mean(before.slice(-5))) return null
  const best = evals.reduce((least, one) => (one.value < least.value ? one : least))
  const message = `The evaluation loss rose ${OVERFITTING} times in a row while the training loss fell: the model is memorising the rows. The best step was ${best.step}.`
  return { code: 'overfitting', message, step: best.step, evidence: { best: rounded(best.value), now: rounded(last.at(-1)!.value) } }
}

/** The mean loss of a window has not fallen by at least `least` for `patience` windows. */
function plateau(input: HealthInput): RunHealth | null {
  if (input.strategy === 'grpo' || input.strategy === 'rlvr') return null // their loss does not measure learning
  const rate = finite(curveOf(input, 'learning_rate')).at(-1)?.value
  if (rate !== undefined && input.learningRate !== undefined && rate < input.learningRate / 2) return null // a small learning rate changes the loss little
  const { window, patience, afterStep, least } = PLATEAU
  const losses = finite(curveOf(input, 'loss'))
  if (losses.length < window + patience || (losses.at(-1)?.step ?? 0) <= afterStep) return null
  const means = Array.from({ length: patience + 1 }, (_, at) => {
    const end = losses.length - patience + at
    return mean(losses.slice(end - window, end))
  })
  const [first = 0, ...rest] = means
  if (Math.min(...rest) < first - least) return null
  const since = losses[losses.length - patience - 1]!.step
  const now = means.at(-1)!
  if (now > first * 1.5) return null // the loss rises, which is no plateau
  const message = `The loss has not fallen since step ${since}. Training may be finished, or the learning rate is too low.`
  return { code: 'plateau', message, step: since, evidence: { before: rounded(first), now: rounded(now) } }
}

function degenerate(input: HealthInput): RunHealth | null {
  if (input.strategy !== 'dpo') return null
  const last = finite(curveOf(input, 'rewards/accuracies')).filter(({ step }) => step > DEGENERATE.afterStep).slice(-DEGENERATE.times) // prettier-ignore
  if (last.length < DEGENERATE.times || last.some(({ value }) => value > DEGENERATE.accuracy)) return null
  const message = `The model prefers the chosen answer in ${Math.round(100 * mean(last))} % of the pairs, no better than chance. The pairs may contradict each other, or the learning rate is too low.`
  return { code: 'degenerate', message, step: last[0]!.step, evidence: { accuracy: rounded(last.at(-1)!.value) } }
}

/** The longest end of the list in which every value passes the test. */
const trailing = (points: readonly Finite[], passes: (value: number) => boolean): readonly Finite[] =>
  points.slice(points.findLastIndex(({ value }) => !passes(value)) + 1)

const isRewarded = ({ strategy }: HealthInput): boolean => strategy === 'grpo' || strategy === 'rlvr'

/** Our own figure: the library's share is 0 if nothing has a reward. */
const flatShares = (input: HealthInput) => trailing(finite(curveOf(input, 'zero_variance_share')), (value) => value >= 1)

function noGradient(input: HealthInput): RunHealth | null {
  const flat = isRewarded(input) ? flatShares(input) : []
  if (flat.length < NO_GRADIENT) return null
  const reward = finite(curveOf(input, 'reward')).at(-1)?.value
  const message = `All answers to a prompt got the same reward, or none, for ${NO_GRADIENT} points or more, so the gradient is 0 and the model no longer changes. If the task is solved, stop the run and keep the model. Otherwise stop it, and choose an earlier checkpoint, easier or harder tasks, or other rewards.`
  return { code: 'no_gradient', message, step: flat[0]!.step, evidence: { reward: reward === undefined ? null : rounded(reward) } }
}

/** The model loses its end mark, after which no answer has a reward. */
function cutOff(input: HealthInput): RunHealth | null {
  if (!isRewarded(input)) return null
  const episodes = finite(curveOf(input, 'corrupted_share'))
  const shares = episodes.length > 0 ? episodes : finite(curveOf(input, 'completions/clipped_ratio'))
  const cut = trailing(shares, (value) => value > CUT_OFF.share)
  if (cut.length < CUT_OFF.points) return null
  const of = episodes.length > 0 ? 'episodes have a message that was' : 'answers were'
  const message = `Answers no longer end: more than half of the ${of} cut off for ${CUT_OFF.points} points or more, and a cut-off answer has no reward. Stop the run and go back to a checkpoint before step ${cut[0]!.step}, with a lower learning rate; or raise the limits of tokens, if answers must be longer.`
  return { code: 'answers_cut_off', message, step: cut[0]!.step, evidence: { cutOff: rounded(cut.at(-1)!.value) } }
}

function noSpread(input: HealthInput): RunHealth | null {
  if (!isRewarded(input)) return null
  const own = curveOf(input, 'zero_variance_share').length > 0 ? flatShares(input) : null
  const shares = finite(curveOf(input, 'frac_reward_zero_std')) // of runs without our own figure
  const flat = own ?? (shares.length >= NO_SPREAD ? trailing(shares, (value) => value >= 1) : trailing(finite(curveOf(input, 'reward_std')), (value) => value === 0)) // prettier-ignore
  if (flat.length < NO_SPREAD) return null
  const from = flat[0]!.step
  const message = `All answers to a prompt got the same reward for ${NO_SPREAD} points or more, so there is nothing to learn from. The task is too hard or too easy, or the reward never applies.`
  return { code: 'no_reward_spread', message, step: from, evidence: { spread: 0 } }
}

/** The model makes worse calls than its base model, which the loss does not show. */
function callsLost(input: HealthInput): RunHealth | null {
  const base = input.baseCalls
  if (!base || base.calls < CALLS_LOST.leastCalls) return null
  const isLess = (value: number) => value <= base.f1 - CALLS_LOST.less
  const worse = trailing(finite(curveOf(input, 'eval_arg_f1')).filter(({ step }) => step > 0), isLess) // prettier-ignore
  if (worse.length < CALLS_LOST.times) return null
  const now = worse.at(-1)!.value
  const message = `The model makes worse calls than its base: argument F1 of held-out calls is ${Math.round(100 * now)} %, with the base model ${Math.round(100 * base.f1)} %. Lower the learning rate, or check the calls in the rows.`
  return { code: 'calls_lost', message, step: worse[0]!.step, evidence: { base: rounded(base.f1), now: rounded(now) } }
}

function stalled({ silence, step }: HealthInput): RunHealth | null {
  if (silence === null) return null
  const allowedMs = Math.max(STALLED.leastMs, STALLED.times * silence.typicalMs)
  if (silence.ms <= allowedMs) return null
  const [usualSec, allowedSec] = [rounded(silence.typicalMs / 1000), Math.round(allowedMs / 1000)]
  const message = `The trainer has not reported for more than ${allowedSec} s; a step usually takes ${usualSec} s. Check the log and the load of the machine, or cancel the run and resume from the last checkpoint.`
  return { code: 'stalled', message, step, evidence: { usualSec, allowedSec } }
}

function memoryNearLimit({ memory }: HealthInput): RunHealth | null {
  if (!memory || memory.total <= 0 || memory.used < NEAR_LIMIT * memory.total) return null
  const message = `${Math.round((100 * memory.used) / memory.total)} % of the memory is in use. The system may kill the run. Close other programs, or run again with a smaller micro-batch size or max length.`
  return {
    code: 'memory_near_limit',
    message,
    step: null,
    evidence: { usedMb: Math.round(memory.used), totalMb: Math.round(memory.total) },
  }
}
