import { keeps, type Schema } from '#server/db/schema.ts'
import { traceOutcomes } from './migrations/0046-trace-outcomes.ts'

export const outcomesSchema: Schema = {
  own: { trace_outcomes: keeps('what happened after sessions') },
  published: ['trace_outcomes'],
  migrations: [traceOutcomes],
}
