import type { StatisticsResult } from '#contracts/entities/statistics.ts'
import { compute } from './statistics.ts'

/** Computes on a thread: a bootstrap over many items takes some hundred milliseconds. */
export default function statisticsJob([name, given]: Parameters<typeof compute>): StatisticsResult {
  return compute(name, given)
}
