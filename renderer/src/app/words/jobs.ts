import type { Job } from '#contracts/entities/job.ts'
import { formatBytes, formatCount, formatEta, formatOrdinal } from '#renderer/ui/format.ts'

/** Why a job failed, and what to do about it. */
export const failureSentence = ({ message, hint }: NonNullable<Job['error']>): string => (hint === null ? message : `${message} ${hint}`)

/** "Comparing answers, 2 of 20"; "reading · 1,204 of 3,142 sessions · 85 MB/s · about 20 s left", or "waiting, 2nd in line"; parts that are not known yet are left out. */
export function progressSentence(job: Job): string {
  if (job.queuePosition !== null) return `waiting, ${formatOrdinal(job.queuePosition)} in line`
  const progress = job.progress
  if (!progress) return job.state === 'queued' ? 'waiting' : 'starting'
  const of = progress.total === null ? '' : ` of ${formatCount(progress.total)}`
  const isBytes = progress.bytesDone !== null || progress.unit === 'bytes'
  const rate =
    progress.ratePerSec === null
      ? null
      : isBytes
        ? `${formatBytes(progress.ratePerSec)}/s`
        : progress.ratePerSec < 0.5
          ? null // "0 rows/s" says nothing
          : `${formatCount(progress.ratePerSec)} ${progress.unit}/s`
  const eta = progress.etaSec === null ? null : `${formatEta(progress.etaSec)} left`
  // a phase that counts nothing says only its name
  const count = progress.done === 0 && progress.total === null ? null : `${formatCount(progress.done)}${of} ${progress.unit}`
  // a phase that names what it counts needs no unit
  if (count !== null && progress.phase.endsWith(` ${progress.unit}`))
    return [`${progress.phase}, ${formatCount(progress.done)}${of}`, rate, eta].filter(Boolean).join(' · ')
  return [progress.phase, count, rate, eta].filter(Boolean).join(' · ')
}

/** How far along, 0 to 1, by bytes where they are known; null while the total is not. */
export function progressShare(job: Job): number | null {
  const progress = job.progress
  if (!progress) return null
  if (progress.bytesDone !== null && progress.bytesTotal) return progress.bytesDone / progress.bytesTotal
  return progress.total ? progress.done / progress.total : null
}
