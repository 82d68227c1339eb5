import type { Migration } from '#server/db/schema.ts'

/** The newest certificate of each run in which a model of the registry met another model. */
export const modelVerdicts: Migration = {
  number: 44,
  name: 'model verdicts',
  sql: `
    CREATE INDEX exam_runs_by_model ON exam_runs (request ->> '$.model.model');
    CREATE VIEW model_verdicts AS
      SELECT r.request ->> '$.model.model' AS model_id, c.no, c.at, c.body ->> '$.verdict' AS verdict, c.body, r.id AS run_id, r.exam_no,
        r.sides ->> '$.labels.base' AS against
      FROM exam_runs r
        JOIN exam_certificates c ON c.no = (SELECT max(x.no) FROM exam_certificates x WHERE x.run_no = r.no)
      WHERE r.request ->> '$.model.kind' = 'model' AND r.sides ->> '$.model.id' <> r.sides ->> '$.base.id';
    -- Models whose newest verdict is that they are better.
    CREATE VIEW proven_models AS
      SELECT model_id, at FROM model_verdicts v
      WHERE verdict = 'ship' AND no = (SELECT max(n.no) FROM model_verdicts n WHERE n.model_id = v.model_id);
    CREATE VIEW exam_run_heads AS
      SELECT r.no, r.id, e.id AS exam_id, r.request ->> '$.model.model' AS model_id, r.sides ->> '$.labels.model' AS title, r.state
      FROM exam_runs r JOIN exams e ON e.no = r.exam_no;
  `,
}
