import type { RunPlan } from '#contracts/entities/run.ts'
import type { TrainMethod, TrainStrategy } from '#contracts/trainer.ts'

/** A completed run on this machine with its measured speed. */
export interface MeasuredRun {
  name: string
  strategy: TrainStrategy
  baseModelPath: string
  method: TrainMethod
  device: string | null
  processes: number
  tokensPerSec: number | null
  /** All processed tokens, and the seconds from start to end. */
  tokens: number | null
  trainSec: number | null
}

/** Margin around measured times, because the next run may differ. */
const SPREAD = 0.2

/** How long the tokens will take, by runs of the same model, strategy and method on the same kind of device; null if there is no such run. */
export function timeOf(
  wanted: { strategy: TrainStrategy; baseModelPath: string; method: TrainMethod; device: string; processes: number; tokens: number | null },
  runs: readonly MeasuredRun[],
): RunPlan['seconds'] {
  const { tokens } = wanted
  if (tokens === null) return null
  const estimates = runs.flatMap((run) => {
    const isSimilar = run.strategy === wanted.strategy && run.baseModelPath === wanted.baseModelPath && run.method.kind === wanted.method.kind && run.device === wanted.device && run.processes === wanted.processes // prettier-ignore
    if (!isSimilar || !run.tokensPerSec) return []
    // time outside the steps: loading, saving
    const overheadSec = run.trainSec !== null && run.tokens !== null ? Math.max(0, run.trainSec - run.tokens / run.tokensPerSec) : 0
    return [{ name: run.name, seconds: overheadSec + tokens / run.tokensPerSec }]
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
