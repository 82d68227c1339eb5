import { keeps, type Schema } from '#server/db/schema.ts'
import { parkModels } from './restored.ts'
import { models } from './migrations/0011-models.ts'
import { modelHeads } from './migrations/0039-model-heads.ts'

export const modelsSchema: Schema = {
  own: {
    models: parkModels,
    model_artifacts: keeps('their paths are moved into this data directory together with the models'),
    model_answers: keeps('times of answers'),
  },
  published: ['trained_datasets', 'model_heads'],
  fileNames: [
    ['models', 'id', 'trace'],
    ['model_artifacts', 'id', 'name'],
  ],
  migrations: [models, modelHeads],
}
