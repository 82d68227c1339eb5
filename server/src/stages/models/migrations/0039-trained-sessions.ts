import type { Migration } from '#server/db/schema.ts'

/** For figures over all stages: what models were trained on. The test split is never trained on. */
export const trainedSessions: Migration = {
  number: 39,
  name: 'trained sessions',
  sql: `
    CREATE VIEW trained_sessions AS
      SELECT m.id AS model_id, s.trace_id FROM models m
        JOIN json_each('[' || json_quote(m.origin ->> '$.lineage.datasetId')
          || coalesce((SELECT ',' || group_concat(json_quote(x.value ->> '$.datasetId')) FROM json_each(m.origin, '$.lineage.mix') x), '') || ']') d
        JOIN dataset_sessions s ON s.dataset_id = d.value AND s.split <> 'test';
    CREATE VIEW model_heads AS
      SELECT id, name, archived, created_at,
        (SELECT count(*) FROM model_artifacts a WHERE a.model_no = m.no) AS artifacts,
        (SELECT max(at) FROM model_answers a WHERE a.model_no = m.no) AS answered_at
      FROM models m;
  `,
}
