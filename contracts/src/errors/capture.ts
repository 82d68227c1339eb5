import type { ErrorTable } from './table.ts'

export const captureErrors = {
  client_settings_invalid: { status: 409, message: 'The Claude Code settings file cannot be read, so it was left unchanged.' },
  hooks_unsupported: { status: 409, message: 'Hooks cannot be installed on this system yet.' },
} as const satisfies ErrorTable
