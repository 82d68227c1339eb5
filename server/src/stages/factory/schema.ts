import type { Schema } from '#server/db/schema.ts'
import { factory } from './migrations/0006-factory.ts'
import { datasets } from './migrations/0007-datasets.ts'
import { pairs } from './migrations/0008-pairs.ts'
import { augment } from './migrations/0009-augment.ts'
import { syntheticTasks } from './migrations/0013-synthetic-tasks.ts'

export const factorySchema: Schema = {
  derived: ['segment_facts', 'examples'],
  own: [
    'segment_cuts',
    'directory_scopes',
    'example_reviews',
    'example_edits',
    'example_sources',
    'datasets',
    'dataset_sides',
    'row_collections',
    'pairs',
    'pair_reviews',
    'augment_runs',
    'augment_charges',
    'augment_answers',
    'example_variants',
  ],
  fileNames: [
    ['datasets', 'id', 'name'],
    ['row_collections', 'id', 'name'],
  ],
  migrations: [factory, datasets, pairs, augment, syntheticTasks],
}
