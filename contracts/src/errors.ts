/**
 * Every error that can cross a border, with its HTTP status and its sentence. A thrown `AppError` carries one of
 * these codes; sentence and hint (what to do) may be replaced by more exact ones, the code never changes.
 */
export const ERRORS = {
  invalid_request: { status: 400, message: 'The request does not match the schema of this route.' },
  unauthorized: { status: 401, message: 'This request needs a signed-in browser or the token of the data directory. Run `bashgym open`.' },
  sign_in_link_invalid: { status: 401, message: 'This sign-in link is unknown or expired. Run `bashgym open` for a new one.' },
  sign_in_link_reused: {
    status: 401,
    message: 'This sign-in link was used twice, so both browsers are signed out.',
    hint: 'If you did not open it twice, another program may have read it: run `bashgym sign-out`, then `bashgym open`.',
  },
  sign_in_not_found: { status: 404, message: 'There is no sign-in with this id.' },
  owner_only: {
    status: 403,
    message: 'A signed-in browser is not allowed to do this. It needs the token file of the data directory.',
    hint: 'Use the command line.',
  },
  confirmation_required: { status: 403, message: 'This change must be confirmed outside the browser.' },
  confirmation_not_found: {
    status: 404,
    message: 'No change with this code is waiting to be confirmed. Codes expire after 10 minutes.',
  },
  foreign_origin: { status: 403, message: 'Requests from other origins are refused.' },
  foreign_host: { status: 403, message: 'The Host header does not name this server.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not support that method.' },
  trace_not_found: { status: 404, message: 'There is no trace with this id.' },
  source_not_found: { status: 404, message: 'The archive has no such source for this trace.' },
  job_not_found: { status: 404, message: 'There is no job with this id.' },
  example_not_found: { status: 404, message: 'There is no example with this id.' },
  pair_not_found: { status: 404, message: 'There is no pair with this id.' },
  view_not_found: { status: 404, message: 'There is no saved view with this id.' },
  dataset_not_found: { status: 404, message: 'There is no data set with this id.' },
  collection_not_found: { status: 404, message: 'There are no imported rows with this id.' },
  dataset_in_use: { status: 409, message: 'This data set was used by a run, so it cannot be removed.' },
  dataset_kind_unavailable: { status: 409, message: 'Rows of this kind cannot be created here.' },
  export_unsupported: { status: 400, message: 'This format does not support rows of this kind.' },
  policy_changed: { status: 409, message: 'The privacy policy changed in the meantime. Start again.' },
  budget_spent: { status: 409, message: 'The privacy budget does not cover this release.' },
  provider_unavailable: { status: 409, message: 'The provider is not set up, so no request can be sent.' },
  run_not_found: { status: 404, message: 'There is no run with this id.' },
  run_state: { status: 409, message: 'The state of this run does not allow that.' },
  run_refused: { status: 409, message: 'This run would fail, so it was not started.' },
  run_changed: { status: 409, message: 'The inputs of this run changed while it was paused, so it cannot be resumed.' },
  run_in_use: { status: 409, message: 'A model depends on this run.' },
  base_model_not_found: { status: 404, message: 'There is no such base model on this machine.' },
  training_unavailable: { status: 409, message: 'No Python that can train was found. Install one in Settings → Training.' },
  model_not_found: { status: 404, message: 'There is no model with this id.' },
  model_in_use: { status: 409, message: 'Something else depends on this model.' },
  export_unavailable: { status: 409, message: 'This export cannot be created here.' },
  too_many_servings: { status: 409, message: 'Two models are loaded already. Stop one of them first.' },
  sandbox_not_found: { status: 404, message: 'There is no sandbox with this id.' },
  sandbox_not_started: { status: 400, message: 'This sandbox is not running.' },
  sandbox_already_started: { status: 400, message: 'This sandbox was started before. Create a new one.' },
  sandbox_capacity: { status: 429, message: 'As many sandboxes are running as are allowed.', hint: 'Stop one, or wait for a place.' },
  setup_failed: { status: 400, message: 'A set-up command of this sandbox failed.' },
  image_unavailable: { status: 400, message: 'There is no such image here.' },
  backend_unavailable: { status: 503, message: 'This machine has no such sandbox engine. Run `bashgym doctor`.' },
  isolation_unavailable: { status: 503, message: 'The sandbox engine cannot give the isolation that was asked for.' },
  engine_failed: { status: 500, message: 'The sandbox engine failed.' },
  session_not_found: { status: 404, message: 'This sandbox has no such session.' },
  session_exists: { status: 409, message: 'This sandbox has a session of this name.' },
  session_exited: { status: 400, message: 'This session has ended.', hint: 'Open another one, or run a standalone command.' },
  session_busy: { status: 409, message: 'Another command is running in this session.' },
  session_lost: { status: 504, message: 'The session did not answer any more, so the sandbox was stopped.' },
  command_blocked: { status: 403, message: 'This command is blocked by a guardrail.' },
  budget_needed: { status: 400, message: 'A run needs a budget.' },
  nothing_to_augment: { status: 400, message: 'No example matches this selection.' },
  augment_run_not_found: { status: 404, message: 'There is no run with this id.' },
  nothing_to_undo: { status: 409, message: 'There is no decision left to undo.' },
  job_not_cancellable: { status: 409, message: 'This job has already ended.' },
  job_running: { status: 409, message: 'The same job is already running.' },
  filter_invalid: { status: 400, message: 'The filter is not valid.' },
  command_override_not_found: { status: 404, message: 'There is no saved override for a command with this id.' },
  settings_invalid: { status: 400, message: 'These settings are not valid.' },
  settings_read_only: { status: 409, message: 'This setting comes from an environment variable and cannot be changed here.' },
  client_settings_invalid: { status: 409, message: 'The Claude Code settings file cannot be read, so it was left unchanged.' },
  hooks_unsupported: { status: 409, message: 'Hooks cannot be installed on this system yet.' },
  path_refused: { status: 400, message: 'This path cannot be used.', hint: 'Fix the problem, or choose another path.' },
  tokenizer_invalid: { status: 400, message: 'This folder contains no tokenizer that can be read.' },
  payload_too_large: { status: 413, message: 'The request body is larger than 10 MB.' },
  home_not_empty: { status: 409, message: 'The data directory is not empty.' },
  home_locked: { status: 409, message: 'Another Bash Gym is using this data directory.' },
  home_newer: { status: 409, message: 'This data directory was written by a newer Bash Gym.' },
  home_refused: { status: 409, message: 'This folder cannot be the data directory.' },
  backup_invalid: { status: 400, message: 'This file is not a complete backup.' },
  disk_full: { status: 507, message: 'The disk is full. Free some space; data stored earlier is safe.' },
  port_taken: { status: 409, message: 'The port is in use by another program.' },
  database_busy: { status: 503, message: 'The database is busy. Try again in a moment.' },
  archive_damaged: { status: 500, message: 'Part of the archive cannot be read. Run `bashgym verify`.' },
  internal: { status: 500, message: 'Something went wrong inside Bash Gym. The log has the details.' },
} as const satisfies Record<string, { status: number; message: string; hint?: string }>

export type ErrorCode = keyof typeof ERRORS

/** What the wire carries for every failure: `{error: {code, message, hint?, details?}}`. */
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
    this.hint = options.hint ?? (ERRORS[code] as { hint?: string }).hint // most have none of their own
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
