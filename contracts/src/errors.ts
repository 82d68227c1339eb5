import { answerErrors } from './errors/answers.ts'
import { arenaErrors } from './errors/arena.ts'
import { benchmarkErrors } from './errors/benchmarks.ts'
import { captureErrors } from './errors/capture.ts'
import { coreErrors } from './errors/core.ts'
import { dataDirectoryErrors } from './errors/data-directory.ts'
import { factoryErrors } from './errors/factory.ts'
import { jobErrors } from './errors/jobs.ts'
import { examErrors } from './errors/exams.ts'
import { modelErrors } from './errors/models.ts'
import { privacyErrors } from './errors/privacy.ts'
import { providerErrors } from './errors/providers.ts'
import { scoringErrors } from './errors/scoring.ts'
import { routerErrors } from './errors/router.ts'
import { settingsErrors } from './errors/settings.ts'
import { signInErrors } from './errors/sign-in.ts'
import { traceErrors } from './errors/traces.ts'
import { trainingErrors } from './errors/training.ts'
import { merged } from './merged.ts'

/**
 * All error codes, with HTTP status, message and hint (what to do). An `AppError` can replace the message and the hint
 * with more specific ones. Codes never change.
 */
export const ERRORS = merged([
  coreErrors,
  signInErrors,
  traceErrors,
  jobErrors,
  scoringErrors,
  privacyErrors,
  arenaErrors,
  factoryErrors,
  providerErrors,
  trainingErrors,
  modelErrors,
  examErrors,
  benchmarkErrors,
  answerErrors,
  captureErrors,
  routerErrors,
  settingsErrors,
  dataDirectoryErrors,
])

export type ErrorCode = keyof typeof ERRORS

/** The JSON body of every error response. */
export interface WireError {
  error: { code: ErrorCode; message: string; hint?: string; details?: unknown }
}

/** An expected failure. `message` says what happened, where, why; `hint` what to do; `details` are plain data. */
export class AppError extends Error {
  readonly code: ErrorCode
  readonly hint: string | undefined
  readonly details: unknown

  constructor(code: ErrorCode, options: { message?: string; hint?: string; details?: unknown; cause?: unknown } = {}) {
    super(options.message ?? ERRORS[code].message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'AppError'
    this.code = code
    this.hint = options.hint ?? (ERRORS[code] as { hint?: string }).hint // most codes have no hint
    this.details = options.details
  }

  get status(): number {
    return ERRORS[this.code].status
  }

  toWire(): WireError {
    return {
      error: {
        code: this.code,
        message: this.message,
        ...(this.hint === undefined ? {} : { hint: this.hint }),
        ...(this.details === undefined ? {} : { details: this.details }),
      },
    }
  }
}
