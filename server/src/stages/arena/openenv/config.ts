import type { EnvironmentSpec } from '#contracts/entities/environment.ts'
import { AppError } from '#contracts/errors.ts'
import type { TaskSet } from './tasks.ts'

/** What the operator of the server configured; a task can change only what the operator allows. */
export type EnvironmentConfig = Pick<
  EnvironmentSpec,
  'form' | 'reward' | 'backend' | 'image' | 'maxTurns' | 'deadlines' | 'allowTaskKeys' | 'showChecks' | 'outputBytes'
> & { tasks: TaskSet | null }

/** A command ends before its step, and a step before its client gives up. Throws `invalid_request`. */
export function requireOrder({ commandSec, stepSec, messageSec }: EnvironmentSpec['deadlines']): void {
  if (commandSec < stepSec && stepSec < messageSec) return
  throw new AppError('invalid_request', {
    message: `The deadlines must grow: command ${commandSec} s < step ${stepSec} s < message ${messageSec} s.`,
    hint: 'Set --command-timeout, --step-timeout and --message-timeout in this order.',
  })
}
