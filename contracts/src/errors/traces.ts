import type { ErrorTable } from './table.ts'

export const traceErrors = {
  trace_not_found: { status: 404, message: 'There is no trace with this id.' },
  source_not_found: { status: 404, message: 'The archive has no such source for this trace.' },
  view_not_found: { status: 404, message: 'There is no saved view with this id.' },
  nothing_to_undo: { status: 409, message: 'There is no decision left to undo.' },
  filter_invalid: { status: 400, message: 'The filter is not valid.' },
  telemetry_not_set_up: {
    status: 409,
    message: 'No collector is set up, so there is nowhere to send spans.',
    hint: 'Add one in Settings → Telemetry.',
  },
  archive_damaged: { status: 500, message: 'Part of the archive cannot be read. Run `bashgym verify`.' },
} as const satisfies ErrorTable
