import { notVerified } from '#contracts/check-words.ts'
import type { BulkChecks, CheckReport } from '#contracts/entities/check.ts'
import { formatCount, plural } from '#renderer/ui/format.ts'

/** What a status means, and the tone of its mark. */
export const CHECK_WORDS = {
  passed: { word: 'Passed', tone: 'ok', description: 'Everything that ran passed.' },
  failed: { word: 'Failed', tone: 'bad', description: 'A check failed.' },
  error: { word: 'Inconclusive', tone: 'warn', description: 'Not verified.' },
  none: { word: 'No checks', tone: 'neutral', description: 'Not verified: no test ran.' },
} as const satisfies Record<CheckReport['status'], { word: string; tone: 'ok' | 'bad' | 'warn' | 'neutral'; description: string }>

/** "1 of 2 tests passed, 1 failed." */
export function checkCounts({ passed, failed, skipped, total }: Pick<CheckReport, 'passed' | 'failed' | 'skipped' | 'total'>): string {
  if (total === null || failed === null || skipped === null || passed === null)
    return "This runner doesn't list individual tests; its exit code decides."
  return `${passed} of ${plural(total, 'test')} passed${failed > 0 ? `, ${failed} failed` : ''}${skipped > 0 ? `, ${skipped} skipped` : ''}.`
}

/** Why a result says what it says: for one that verifies nothing, what prevented it. */
export function checkReason({ status, reason, failed }: Pick<CheckReport, 'status' | 'reason' | 'failed'>): string {
  if (status === 'error' || (status === 'none' && reason !== null)) return notVerified(reason)
  if (status === 'passed' && failed !== null && failed > 0) return reason ?? 'Nothing fails that passed before.'
  return reason ?? CHECK_WORDS[status].description
}

/** The state to which a project was restored for the checks. */
export function restoredSentence({ commit, isInferred, applied, mayMiss }: NonNullable<CheckReport['restored']>): string {
  const base = `${isInferred ? 'The newest commit before the session' : "The session's last commit"}, ${commit.slice(0, 10)}`
  const changes = applied > 0 ? `, with ${plural(applied, 'change')} of its files made again` : ''
  return `${base}${changes}.${mayMiss ? ' What commands of the shell changed after that is not restored.' : ''}`
}

/** "Failed: npm test, 1 of 2 tests passed, 1 failed." */
export const checkSentence = (report: CheckReport): string =>
  `${CHECK_WORDS[report.status].word}: ${report.reason === null ? `${report.command ?? ''}, ${checkCounts(report)}` : report.reason}`

/** "3 sessions: 1 passed, 1 failed, 1 not restorable" */
export function bulkCheckSentence({ traces, passed, failed, error, none, notRestorable, notRun }: BulkChecks): string {
  const counts = [
    [passed, 'passed'],
    [failed, 'failed'],
    [error, 'not verified'],
    [none, 'without checks'],
    [notRestorable, 'not restorable'],
    [notRun, 'not run'],
  ] as const
  const words = counts.flatMap(([count, word]) => (count > 0 ? [`${formatCount(count)} ${word}`] : []))
  return words.length === 0 ? plural(traces, 'session') : `${plural(traces, 'session')}: ${words.join(', ')}`
}
