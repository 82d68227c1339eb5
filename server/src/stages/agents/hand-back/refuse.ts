import { RESTING_STATES, type Task } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { isDiskFull } from '#server/disk.ts'
import type { Conflict } from './tree/refusals.ts'

export const invalid = (message: string, hint?: string) =>
  new AppError('invalid_request', { message, ...(hint === undefined ? {} : { hint }) })
export const refusal = (message: string, hint?: string) =>
  new AppError('hand_back_conflict', { message, ...(hint === undefined ? {} : { hint }) })

export function requireEnded({ state }: Task): void {
  if (!(RESTING_STATES as readonly string[]).includes(state)) throw new AppError('task_running')
}

/** Throws all conflicts in one error, before anything is changed. */
export function refuse(conflicts: readonly Conflict[]): void {
  if (conflicts.length === 0) return
  const [{ path: file, reason }] = conflicts as [Conflict]
  const more =
    conflicts.length === 1 ? '' : ` ${conflicts.length - 1} more ${conflicts.length === 2 ? 'path does' : 'paths do'} not fit, either.`
  throw new AppError('hand_back_conflict', {
    message: `${file}: ${reason}.${more} Nothing was changed.`,
    hint: 'Hand back the other files, or resolve these paths first.',
    details: { conflicts },
  })
}

export function notWritten(error: unknown): never {
  if (isDiskFull(error)) throw new AppError('disk_full', { message: 'The disk is full, so everything was restored.', cause: error })
  throw error
}
