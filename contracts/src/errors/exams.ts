import type { ErrorTable } from './table.ts'

export const examErrors = {
  exam_not_found: { status: 404, message: 'There is no exam with this id.' },
  exam_empty: { status: 400, message: 'No session can be used for an exam.' },
  exam_made: { status: 409, message: 'This exam is made, or being made.' },
  exam_taken: { status: 409, message: 'This exam was run, so its tasks cannot change any more.', hint: 'Make another exam.' },
  exam_run_not_found: { status: 404, message: 'This exam has no run with this id.' },
  exam_run_refused: { status: 400, message: 'This run cannot be started.' },
  exam_run_active: { status: 409, message: 'This run is still asking.', hint: 'Cancel it, or wait until it ends.' },
  thermometer_off: { status: 409, message: 'The thermometer is off.', hint: 'Switch it on first.' },
  exam_not_decided: { status: 404, message: 'This run has no certificate.', hint: 'Decide it first.' },
} as const satisfies ErrorTable
