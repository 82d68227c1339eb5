import { AppError } from '#contracts/errors.ts'
import type { AppendError } from './archive/append-types.ts'

export function commitRows(work: () => void): void {
  try {
    work()
  } catch (error) {
    throw rowsFailure(error)
  }
}

/** An error of writing rows. On a full disk the message adds that the archived bytes are safe. */
export function rowsFailure(error: unknown): unknown {
  if ((error as { code?: unknown }).code !== 'SQLITE_FULL') return error
  return new AppError('disk_full', {
    message: "The data directory's disk is full, so this session is archived but not listed yet.",
    hint: 'Free some space, then import again. It continues where it stopped.',
    cause: error,
  })
}

export function failureOf(failed: AppendError): Error {
  if (failed.code === 'ENOSPC' || failed.code === 'EDQUOT') {
    return new AppError('disk_full', {
      message: "The data directory's disk is full, so these bytes could not be archived. Data stored earlier is safe.",
      hint: 'Free some space, then import again. It continues where it stopped.',
    })
  }
  return new Error(failed.message)
}
