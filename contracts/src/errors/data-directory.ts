import type { ErrorTable } from './table.ts'

export const dataDirectoryErrors = {
  data_dir_not_empty: { status: 409, message: 'The data directory is not empty.' },
  data_dir_locked: { status: 409, message: 'Another Bash Gym is using this data directory.' },
  data_dir_newer: { status: 409, message: 'This data directory was written by a newer Bash Gym.' },
  data_dir_refused: { status: 409, message: 'This folder cannot be the data directory.' },
  restored_waits: {
    status: 409,
    message: 'This comes from a restored backup and is not used until you allow it.',
    hint: 'Choose "Use again" on its page or in Settings.',
  },
  backup_invalid: { status: 400, message: 'This file is not a complete backup.' },
} as const satisfies ErrorTable
