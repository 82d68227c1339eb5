import { keeps, type Schema } from '#server/db/schema.ts'
import { spans } from './migrations/0063-spans.ts'

export const spansSchema: Schema = {
  own: {
    recorded_spans: keeps('figures and labels that are shown'),
    recorded_traces: keeps('figures and titles that are shown'),
    reported_requests: keeps('figures of requests'),
  },
  published: [],
  migrations: [spans],
}
