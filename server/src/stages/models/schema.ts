import { keeps, type Schema } from '#server/db/schema.ts'
import { parkModels } from './restored.ts'
import { models } from './migrations/0011-models.ts'
import { modelProbes } from './migrations/0047-model-probes.ts'
import { modelViews } from './migrations/0043-model-views.ts'

export const modelsSchema: Schema = {
  own: {
    models: parkModels,
    model_artifacts: keeps('their paths are moved into this data directory together with the models'),
    model_answers: keeps('times of answers'),
    model_probes: keeps('results'),
  },
  published: ['trained_datasets', 'model_heads', 'models', 'model_probes'],
  fileNames: [
    ['models', 'id', 'trace'],
    ['model_artifacts', 'id', 'name'],
  ],
  migrations: [models, modelViews, modelProbes],
}
