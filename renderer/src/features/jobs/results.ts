import { ImportResult } from '#contracts/entities/capture.ts'
import type { Job } from '#contracts/entities/job.ts'
import { RescorePreview } from '#contracts/entities/score.ts'
import { formatBytes, formatCount, plural } from '#renderer/ui/format.ts'

/** What came of a job in one line; null where its result has no words yet. */
export function resultSentence(job: Job): string | null {
  const imported = ImportResult.safeParse(job.result)
  if (imported.success) {
    const { sessions, bytes, errors } = imported.data
    return [
      `${plural(sessions.new, 'new session')}, ${formatCount(sessions.grown)} grown, ${formatCount(sessions.unchanged)} unchanged`,
      sessions.failed > 0 ? `${formatCount(sessions.failed)} failed` : null,
      `${formatBytes(bytes)} read`,
      errors.length > 0 ? plural(errors.length, 'line could not be read', 'lines could not be read') : null,
    ]
      .filter(Boolean)
      .join(', ')
  }
  const rescored = RescorePreview.safeParse(job.result)
  if (rescored.success) return `${plural(rescored.data.scored, 'trace')} scored, ${formatCount(rescored.data.moving)} moved to another tier`
  return null
}
