import type { ErrorTable } from './table.ts'

export const routerErrors = {
  mod_refused: { status: 409, message: 'The mod cannot be installed here.' },
  route_decision_not_found: { status: 404, message: 'There is no such decision. Decisions are kept for 30 days.' },
  teacher_failed: { status: 502, message: 'The provider did not answer.' },
} as const satisfies ErrorTable
