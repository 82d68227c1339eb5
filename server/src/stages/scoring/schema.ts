import { keeps, type Schema } from '#server/db/schema.ts'
import { scoring } from './migrations/0004-scoring.ts'
import { scoreWords } from './migrations/0014-score-words.ts'

export const scoringSchema: Schema = {
  derived: ['scores'],
  own: {
    command_overrides: keeps('it only changes which commands count as tests'),
  },
  migrations: [scoring, scoreWords],
}
