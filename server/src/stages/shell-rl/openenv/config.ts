import type { EnvironmentSpec } from '#contracts/entities/environment.ts'
import { AppError } from '#contracts/errors.ts'
import type { TaskSet } from './tasks.ts'

/** The operator's settings for the server. A task can change only the settings that the operator allows. */
export type EnvironmentConfig = Pick<
  EnvironmentSpec,
  'form' | 'reward' | 'backend' | 'image' | 'maxTurns' | 'deadlines' | 'allowTaskKeys' | 'showChecks' | 'outputBytes'
> & { tasks: TaskSet | null }

/** Requires that a command ends before the deadline of its step, and a step before the client stops waiting. Throws `invalid_request`. */
export function requireOrder({ commandSec, stepSec, messageSec }: EnvironmentSpec['deadlines']): void {
  if (commandSec < stepSec && stepSec < messageSec) return
  throw new AppError('invalid_request', {
    message: `Each deadline must be longer than the one before: command ${commandSec} s < step ${stepSec} s < message ${messageSec} s.`,
    hint: 'Set --command-timeout, --step-timeout and --message-timeout in this order.',
  })
}
