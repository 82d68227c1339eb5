import { parks, WAITS } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { factory } from './migrations/0006-factory.ts'
import { datasets } from './migrations/0007-datasets.ts'
import { pairs } from './migrations/0008-pairs.ts'
import { augment } from './migrations/0009-augment.ts'
import { syntheticTasks } from './migrations/0013-synthetic-tasks.ts'
import { datasetSessions } from './migrations/0042-dataset-sessions.ts'

/** States of runs, as an SQL literal. */
const ENDED = "('completed', 'budget', 'failed', 'cancelled', 'interrupted')"

export const factorySchema: Schema = {
  derived: ['segment_facts', 'examples'],
  own: {
    segment_cuts: keeps('where the user cut sessions'),
    directory_scopes: keeps('names of the projects of folders'),
    example_reviews: keeps('what the user accepted and rejected'),
    example_edits: keeps('texts of examples, which pass the gate like any other'),
    example_sources: keeps('which sessions examples are made from'),
    datasets: keeps('versions of data sets; their files are in the folder of their id'),
    dataset_sessions: keeps('which sessions data sets were made from'),
    dataset_sides: keeps('the split of sessions'),
    row_collections: keeps('imported rows; their file is in the folder of their id'),
    pairs: keeps('pairs of texts'),
    pair_reviews: keeps('what the user accepted and rejected'),
    augment_runs: parks({
      kind: 'synthetic-run',
      rows: `SELECT id, provider || ' ' || model AS title, state NOT IN ${ENDED} AS active,
          json_array(json_object('provider', provider || ', model ' || model), json(plan)) AS named
        FROM augment_runs ORDER BY no`,
      end: [
        `UPDATE augment_runs SET state = 'interrupted', message = ${WAITS},
           ended_at = created_at WHERE state NOT IN ${ENDED}`,
      ],
    }),
    augment_charges: keeps('what runs have paid'),
    augment_answers: keeps('answers of models, which pass the gate like any other text'),
    example_variants: keeps('texts of examples, which pass the gate like any other'),
  },
  published: ['datasets', 'dataset_sessions'],
  fileNames: [
    ['datasets', 'id', 'name'],
    ['row_collections', 'id', 'name'],
  ],
  migrations: [factory, datasets, pairs, augment, syntheticTasks, datasetSessions],
}
