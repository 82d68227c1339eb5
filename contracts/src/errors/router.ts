import type { ErrorTable } from './table.ts'

export const routerErrors = {
  mod_refused: { status: 409, message: 'The mod cannot be installed here.' },
} as const satisfies ErrorTable
