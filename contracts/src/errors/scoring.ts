import type { ErrorTable } from './table.ts'

export const scoringErrors = {
  command_override_not_found: { status: 404, message: 'There is no saved override for a command with this id.' },
} as const satisfies ErrorTable
