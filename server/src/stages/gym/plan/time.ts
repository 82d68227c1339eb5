import type { RunPlan } from '#contracts/entities/run.ts'
import type { TrainMethod, TrainStrategy } from '#contracts/trainer.ts'

/** A completed run of this machine with its measured speed. */
export interface MeasuredRun {
  name: string
  strategy: TrainStrategy
  baseModelPath: string
  method: TrainMethod
  device: string | null
  processes: number
  tokensPerSec: number | null
  /** All tokens that went through, and the seconds from its start to its end. */
  tokens: number | null
  trainSec: number | null
}

/** One run says little of how much the next will differ. */
const SPREAD = 0.2

/** How long so many tokens will take, by runs of the same model, strategy and method on the same kind of device; null: there is none. */
export function timeOf(
  wanted: { strategy: TrainStrategy; baseModelPath: string; method: TrainMethod; device: string; processes: number; tokens: number | null },
  runs: readonly MeasuredRun[],
): RunPlan['seconds'] {
  const { tokens } = wanted
  if (tokens === null) return null
  const estimates = runs.flatMap((run) => {
    const isAlike = run.strategy === wanted.strategy && run.baseModelPath === wanted.baseModelPath && run.method.kind === wanted.method.kind && run.device === wanted.device && run.processes === wanted.processes // prettier-ignore
    if (!isAlike || !run.tokensPerSec) return []
    // loading, saving: what the run took beside its steps
    const beside = run.trainSec !== null && run.tokens !== null ? Math.max(0, run.trainSec - run.tokens / run.tokensPerSec) : 0
    return [{ name: run.name, seconds: beside + tokens / run.tokensPerSec }]
  })
  if (estimates.length === 0) return null
  const seconds = estimates.map((one) => one.seconds)
  const names = estimates.map(({ name }) => name)
  return {
    low: Math.min(...seconds) * (1 - SPREAD),
    high: Math.max(...seconds) * (1 + SPREAD),
    from: names.length > 3 ? `${names.slice(0, 3).join(', ')} and ${names.length - 3} more` : names.join(', '),
  }
}
