import type { Job } from '#contracts/entities/job.ts'
import { AppError, type ErrorCode, ERRORS } from '#contracts/errors.ts'
import type { Connection, Context } from './command.ts'
import { formatBytes, formatDuration } from './format.ts'

/** Waits for a job and prints its progress on stderr. Ctrl+C cancels the job. Throws the error of a failed job. */
export async function waitFor(context: Context, { client }: Connection, job: Job): Promise<Job> {
  let current = job
  let cancelled = false
  let lastLine = ''
  while (current.state === 'queued' || current.state === 'running') {
    if (context.signal.aborted && !cancelled) {
      cancelled = true
      await client.cancelJob({ params: { id: job.id }, body: {} }).catch((error: unknown) => context.note(String(error)))
    }
    current = await client.getJob({ params: { id: job.id }, query: { waitMs: 500 } })
    const line = progressLine(current)
    if (line && line !== lastLine && (current.state === 'queued' || current.state === 'running')) context.note(line)
    lastLine = line
  }
  if (current.state === 'failed') {
    const code = current.error?.code ?? 'internal'
    const { message = 'The job failed.', hint } = current.error ?? {}
    throw new AppError(Object.hasOwn(ERRORS, code) ? (code as ErrorCode) : 'internal', { message, ...(hint ? { hint } : {}) })
  }
  if (current.state === 'cancelled') throw new AppError('internal', { message: 'Cancelled. Results saved before that are kept.' })
  return current
}

/** Follows the server's messages during `work`, because an app inside this process starts queued work only then. */
export async function whileFollowing<T>(context: Context, connection: Connection, work: () => Promise<T>): Promise<T> {
  const controller = new AbortController()
  const following = connection.follow(() => undefined, controller.signal)
  following.catch((error: unknown) => context.note(String(error)))
  try {
    return await work()
  } finally {
    controller.abort()
    await following.catch(() => undefined) // printed above
  }
}

function progressLine({ progress, queuePosition }: Job): string {
  if (queuePosition !== null) return `waiting, number ${queuePosition} in line`
  if (!progress) return ''
  const { phase, done, total, unit, bytesDone, bytesTotal, ratePerSec, etaSec } = progress
  const amount =
    bytesDone === null
      ? `${done}${total === null ? '' : ` of ${total}`} ${unit}`
      : `${done}${total === null ? '' : ` of ${total}`} ${unit}, ${formatBytes(bytesDone)}${bytesTotal === null ? '' : ` of ${formatBytes(bytesTotal)}`}`
  const rate = ratePerSec === null ? '' : bytesDone === null ? `, ${ratePerSec.toFixed(0)} ${unit}/s` : `, ${formatBytes(ratePerSec)}/s`
  return `${phase}: ${amount}${rate}${etaSec === null ? '' : `, ${formatDuration(etaSec * 1000)} left`}`
}
