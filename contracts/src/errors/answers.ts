import type { ErrorTable } from './table.ts'

export const answerErrors = {
  answer_run_not_found: { status: 404, message: 'There is no run with this id that grades answers.' },
  answer_run_refused: { status: 400, message: 'This run cannot be started.' },
  answer_set_not_found: { status: 404, message: 'There is no own evaluation set with this id.' },
  answer_set_invalid: { status: 400, message: 'These cases cannot be used.' },
} as const satisfies ErrorTable
