import type { Schema } from '#server/db/schema.ts'
import { models } from './migrations/0011-models.ts'

export const modelsSchema: Schema = {
  own: ['models', 'model_artifacts', 'model_answers'],
  migrations: [models],
}
