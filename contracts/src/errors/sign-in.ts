import type { ErrorTable } from './table.ts'

export const signInErrors = {
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
} as const satisfies ErrorTable
