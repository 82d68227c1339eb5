import type { Run } from './entities/run.ts'
import { wilson } from './wilson.ts'

/** Share of held-out tasks that a run solved at its latest evaluation, with its 95 % interval; null if not measured. */
export function heldoutOf(metrics: Run['metrics']): { rate: number; n: number; low: number; high: number } | null {
  const [rate, n] = [metrics['heldout_success_rate'], metrics['heldout_n']]
  if (typeof rate !== 'number' || typeof n !== 'number') return null
  const interval = wilson(Math.round(rate * n), n)
  return interval && { rate, n, ...interval }
}

/** What a held-out figure of a run was measured on; two runs with different texts cannot be compared by it. */
function measuredOn(name: string, { strategy, datasetId, nextCalls, request, settings }: Run): string {
  const data = [strategy, datasetId ?? request.file ?? null, request.valFile ?? null]
  if (name.startsWith('heldout_')) return JSON.stringify([request.shellTasks ?? null, settings.heldoutTasks])
  return JSON.stringify(name === 'eval_loss' ? data : [nextCalls?.digest ?? data])
}

export const isHeldOut = (name: string): boolean => name.startsWith('eval_') || name.startsWith('heldout_')

/**
 * The runs whose figure was measured on other held-out answers than that of the first run that has it, so that it must not stand
 * beside it. `name`: a metric, or `eval_loss`.
 */
export function otherAnswers(name: string, runs: readonly Run[]): ReadonlySet<Run['id']> {
  const measured = runs.filter((run) => typeof (name === 'eval_loss' ? run.evalLoss : run.metrics[name]) === 'number')
  const [first] = measured
  if (!first || !isHeldOut(name)) return new Set()
  return new Set(measured.filter((run) => measuredOn(name, run) !== measuredOn(name, first)).map(({ id }) => id))
}
export const OTHER_ANSWERS = 'measured on other answers'
