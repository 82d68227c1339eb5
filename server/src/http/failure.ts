import { lookup } from '#contracts/lookup.ts'
import type { z } from 'zod'
import { AppError, ERRORS, type ErrorCode } from '#contracts/errors.ts'
import { plainWords } from '#contracts/plain-words.ts'

/** Codes of the system, SQLite and the body parser that have our own message. */
const KNOWN: Record<string, ErrorCode> = lookup({
  ENOSPC: 'disk_full',
  SQLITE_FULL: 'disk_full',
  SQLITE_BUSY: 'database_busy',
  SQLITE_BUSY_SNAPSHOT: 'database_busy',
  'entity.too.large': 'payload_too_large',
})

/** Converts any thrown value to an error that can be sent. The message of an unexpected error is not sent. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof Error && error.name === 'ForeignFileError')
    return new AppError('path_refused', { message: `${error.message}.`, cause: error }) // a link took the place of a folder that was named
  const { code, type, cause, message } = (error ?? {}) as { code?: unknown; type?: unknown; cause?: { code?: unknown }; message?: string }
  for (const name of [code, type, cause?.code]) {
    if (typeof name !== 'string') continue
    const known = Object.hasOwn(KNOWN, name) ? KNOWN[name] : undefined
    if (known) return new AppError(known, { cause: error })
    if (Object.hasOwn(ERRORS, name)) return new AppError(name as ErrorCode, { message, cause: error }) // an AppError that crossed a thread
  }
  return new AppError('internal', { cause: error })
}

/** Names the first invalid field in the message; `details` lists all of them. */
export function invalid(where: 'path' | 'query' | 'body', error: z.ZodError): AppError {
  const issues = error.issues.map((issue) => ({ path: issue.path.map(String), message: plainWords(issue) }))
  const [first] = issues
  const field = first?.path.length ? `"${first.path.join('.')}" in the ${where}` : `The ${where}`
  return new AppError('invalid_request', {
    message: `${field} is not valid. ${first?.message ?? ''}`.trim(),
    hint: 'The schemas are described at /docs.',
    details: { where, issues },
  })
}
