import type { ErrorTable } from './table.ts'

export const jobErrors = {
  job_not_found: { status: 404, message: 'There is no job with this id.' },
  job_not_cancellable: { status: 409, message: 'This job has already ended.' },
  job_running: { status: 409, message: 'The same job is already running.' },
} as const satisfies ErrorTable
