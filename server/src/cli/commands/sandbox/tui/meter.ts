import type { SandboxUsage } from '#contracts/entities/sandbox.ts'
import type { Gauge } from './state.ts'

/** Computes the CPU share from the last two measurements of each sandbox. `at` is in milliseconds. */
export function createMeter(): (usage: readonly SandboxUsage[], at: number) => ReadonlyMap<string, Gauge> {
  let before = new Map<string, { cpuSeconds: number | null; at: number }>()
  return (usage, at) => {
    const gauges = new Map<string, Gauge>()
    const measured: typeof before = new Map()
    for (const { id, cpuSeconds, memoryBytes } of usage) {
      const last = before.get(id)
      const isMeasured = cpuSeconds !== null && last !== undefined && last.cpuSeconds !== null && at > last.at
      gauges.set(id, { cpu: isMeasured ? Math.max(cpuSeconds - last.cpuSeconds!, 0) / ((at - last.at) / 1000) : null, memoryBytes })
      measured.set(id, { cpuSeconds, at })
    }
    before = measured
    return gauges
  }
}
