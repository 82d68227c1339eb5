import { AppError } from '#contracts/errors.ts'
import { isDiskFull } from './disk.ts'
import type { Paths } from './config.ts'

/** Explains why the database could not be opened and what to do. Returns other errors unchanged. */
export function startFailure(error: unknown, { database }: Pick<Paths, 'database'>): unknown {
  const { code, message } = (error ?? {}) as { code?: unknown; message?: string }
  if (isDiskFull(error) && !(error instanceof AppError)) {
    return new AppError('disk_full', {
      message: `The disk is full: can't open ${database}.`,
      hint: 'Free some space and start again. Data stored earlier is safe.',
      cause: error,
    })
  }
  if (code === 'SQLITE_NOTADB' || (typeof code === 'string' && code.startsWith('SQLITE_CORRUPT'))) {
    return new AppError('data_dir_refused', {
      message: `The database ${database} is damaged (${message}). It was left unchanged.`,
      hint: 'Restore a backup (`bashgym restore FILE --replace`), or move the file away. Sessions are then rebuilt from the archive, but its tags, notes and decisions are lost.',
      cause: error,
    })
  }
  return error
}
