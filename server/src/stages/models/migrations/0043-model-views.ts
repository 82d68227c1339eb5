import type { Migration } from '#server/db/schema.ts'

/** For figures over all stages: models, and the data sets that each was trained on. */
export const modelViews: Migration = {
  number: 43,
  name: 'model views',
  sql: `
    CREATE VIEW model_heads AS
      SELECT id, name, archived, created_at,
        (SELECT count(*) FROM model_artifacts a WHERE a.model_no = m.no) AS artifacts,
        (SELECT max(at) FROM model_answers a WHERE a.model_no = m.no) AS answered_at
      FROM models m;
    CREATE VIEW trained_datasets AS
      SELECT id AS model_id, origin ->> '$.lineage.datasetId' AS dataset_id FROM models
      UNION ALL SELECT m.id, x.value ->> '$.datasetId' FROM models m, json_each(m.origin, '$.lineage.mix') x;
  `,
}
