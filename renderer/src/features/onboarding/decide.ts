import type { Scan } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import { formatBytes, plural } from '#renderer/ui/format.ts'

/**
 * What the first step of the first run offers. `looking`: the scan is not back; `none`: no history on this machine;
 * `running`: an import is at work; `ready`: there is something to take in; `kept`: all of it is in the archive.
 */
export type HistoryStep = 'looking' | 'none' | 'running' | 'ready' | 'kept'

export function historyStep(scan: Scan | undefined, importJob: Job | null): HistoryStep {
  if (importJob) return 'running'
  if (!scan) return 'looking'
  if (scan.sessions === 0) return 'none'
  return scan.notArchived > 0 ? 'ready' : 'kept'
}

/** "312 sessions in 14 projects, 1.24 GB." */
export const foundSentence = (scan: Scan): string =>
  `${plural(scan.sessions, 'session')} in ${plural(scan.projects, 'project')}, ${formatBytes(scan.bytes)}.`

/** What the client's clean-up takes next, or that nothing is in danger; null where no clean-up is known. */
export function riskSentence(scan: Scan): string | null {
  const days = plural(scan.cleanupPeriodDays, 'day')
  if (scan.atRisk > 0) {
    return `Claude Code deletes sessions after ${days}: ${plural(scan.atRisk, 'session')} would be lost within 7 days.`
  }
  if (scan.nextCleanup && scan.nextCleanup.sessions > 0) {
    return `Claude Code deletes sessions after ${days}; its next clean-up takes ${plural(scan.nextCleanup.sessions, 'session')}.`
  }
  return scan.sessions > 0 ? `Claude Code deletes sessions after ${days}. None is due within 7 days.` : null
}
