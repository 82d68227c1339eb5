import { keeps, type Schema } from '#server/db/schema.ts'
import { traceChecks } from './migrations/0021-trace-checks.ts'

export const checksSchema: Schema = {
  own: { trace_checks: keeps('results of checks') },
  migrations: [traceChecks],
}
