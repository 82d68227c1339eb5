import type { ErrorTable } from './table.ts'

export const coreErrors = {
  invalid_request: { status: 400, message: 'The request does not match the schema of this route.' },
  foreign_origin: { status: 403, message: 'Requests from other origins are refused.' },
  foreign_host: { status: 403, message: 'The Host header does not name this server.' },
  not_found: { status: 404, message: 'There is nothing at this address.' },
  method_not_allowed: { status: 405, message: 'This address does not support that method.' },
  payload_too_large: { status: 413, message: 'The request body is larger than 10 MB.' },
  disk_full: { status: 507, message: 'The disk is full. Free some space; data stored earlier is safe.' },
  out_of_memory: {
    status: 507,
    message: 'This work needs more memory than one thread may have, and was stopped.',
    hint: 'Split the file, or choose less at once.',
  },
  server_unreachable: {
    status: 502,
    message: 'The server did not answer.',
    hint: 'Check that it is running and that its address is correct.',
  },
  port_taken: { status: 409, message: 'The port is in use by another program.' },
  database_busy: { status: 503, message: 'The database is busy. Try again in a moment.' },
  internal: { status: 500, message: 'Something went wrong inside Bash Gym. The log has the details.' },
  path_refused: { status: 400, message: 'This path cannot be used.', hint: 'Fix the problem, or choose another path.' },
} as const satisfies ErrorTable
