import { AppError } from '#contracts/errors.ts'

/** Restores the error of a worker: it arrives as a plain error with its code in the cause. */
export function toArchiveError(error: unknown): unknown {
  const code = error instanceof Error ? ((error.cause as { code?: unknown } | undefined)?.code ?? null) : null
  return code === 'archive_damaged' ? new AppError('archive_damaged', { message: (error as Error).message, cause: error }) : error
}
