import type { Schema } from '#server/db/schema.ts'
import { rebaseRestoredModels } from './restored.ts'
import { models } from './migrations/0011-models.ts'

export const modelsSchema: Schema = {
  own: ['models', 'model_artifacts', 'model_answers'],
  fileNames: [
    ['models', 'id', 'trace'],
    ['model_artifacts', 'id', 'name'],
  ],
  afterRestore: rebaseRestoredModels,
  migrations: [models],
}
