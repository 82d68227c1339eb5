import type { ErrorTable } from './table.ts'

export const privacyErrors = {
  policy_changed: { status: 409, message: 'The privacy policy changed in the meantime. Start again.' },
  budget_spent: { status: 409, message: 'The privacy budget does not cover this release.' },
} as const satisfies ErrorTable
