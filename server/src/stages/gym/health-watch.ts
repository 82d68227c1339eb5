import { assess, WATCHED } from './health.ts'
import type { Live } from './live.ts'
import type { BlockStore } from './metrics/blocks.ts'
import { silenceOf } from './pace.ts'
import type { RunRow } from './row.ts'
import type { RunStore } from './store.ts'

/** Reading the curves takes longer than storing a batch. */
const EVERY_MS = 2000

/** Updates the stored health of runs, in the caller's transaction. Returns whether it changed. */
export function createHealthWatch(store: RunStore, blocks: BlockStore, now: () => number) {
  const assessedAt = new Map<string, number>()
  return (run: Pick<RunRow, 'id' | 'no' | 'strategy' | 'setup'>, live: Live): boolean => {
    const at = performance.now()
    if (live.outcome === null && at - (assessedAt.get(run.id) ?? -EVERY_MS) < EVERY_MS) return false
    assessedAt.set(run.id, at)
    const curves = Object.fromEntries(WATCHED.map((name) => [name, blocks.recent(run.no, name)]))
    const isTraining = live.outcome === null && live.phase === 'training'
    const silence = isTraining ? silenceOf(live.pace, now()) : null
    const { strategy } = run
    const { learningRate } = run.setup.settings
    const health = assess({
      strategy,
      learningRate,
      curves,
      trainedTokens: live.trainedTokens,
      baseCalls: baseCallsOf(live),
      memory: live.memory,
      silence,
      step: live.step,
    })
    if (JSON.stringify(health) === JSON.stringify(store.require(run.id).health)) return false
    store.change(run.id, { health })
    return true
  }
}

function baseCallsOf({ baseCalls: figures, nextCalls }: Live): { f1: number; calls: number } | null {
  const f1 = figures?.['eval_arg_f1']
  return typeof f1 === 'number' && nextCalls !== null ? { f1, calls: nextCalls.withCalls } : null
}
