import type { ErrorTable } from './table.ts'

export const arenaErrors = {
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
  session_no_terminal: {
    status: 400,
    message: 'This session has no terminal, so nobody can type into it.',
    hint: 'Open one with a terminal.',
  },
  recording_not_found: { status: 404, message: 'Nothing of this session is recorded.' },
  session_lost: { status: 504, message: 'The session did not answer any more, so the sandbox was stopped.' },
  snapshot_not_found: { status: 404, message: 'There is no such snapshot.' },
  snapshot_exists: { status: 409, message: 'There is a snapshot of this name.', hint: 'Choose another name.' },
  snapshot_refused: { status: 400, message: 'The snapshot was not made.', hint: 'Remove a snapshot, or raise the limit in Settings.' },
  state_not_restorable: { status: 409, message: 'What the session left of its project cannot be restored.' },
  command_blocked: { status: 403, message: 'This command is blocked by a guardrail.' },
} as const satisfies ErrorTable
