import type { ErrorTable } from './table.ts'

export const benchmarkErrors = {
  benchmark_refused: { status: 400, message: 'This benchmark cannot be run like this.' },
  benchmark_files_refused: { status: 400, message: 'These files are not the items of this benchmark.' },
  benchmark_run_not_found: { status: 404, message: 'There is no run of a benchmark with this id.' },
} as const satisfies ErrorTable
