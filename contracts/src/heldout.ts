import type { Run } from './entities/run.ts'
import { wilson } from './wilson.ts'

/** Share of held-out tasks that a run solved at its latest evaluation, with its 95 % interval; null if not measured. */
export function heldoutOf(metrics: Run['metrics']): { rate: number; n: number; low: number; high: number } | null {
  const [rate, n] = [metrics['heldout_success_rate'], metrics['heldout_n']]
  if (typeof rate !== 'number' || typeof n !== 'number') return null
  const interval = wilson(Math.round(rate * n), n)
  return interval && { rate, n, ...interval }
}
