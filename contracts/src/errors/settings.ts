import type { ErrorTable } from './table.ts'

export const settingsErrors = {
  settings_invalid: { status: 400, message: 'These settings are not valid.' },
  settings_read_only: { status: 409, message: 'This setting comes from an environment variable and cannot be changed here.' },
} as const satisfies ErrorTable
