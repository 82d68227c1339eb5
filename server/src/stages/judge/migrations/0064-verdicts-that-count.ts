import type { Migration } from '#server/db/schema.ts'

/**
 * Which of a model's verdicts counts. A run that showed nothing takes nothing away: an earlier proof stands until a run finds the
 * model worse, bounds the effect of the same kind of exam, or a fall at a benchmark; a proof from fewer sessions than such a run had
 * does not undo it. Only verdicts about the same files, against the model's own base, prove anything.
 */
export const verdictsThatCount: Migration = {
  number: 64,
  name: 'verdicts that count',
  sql: `
    DROP VIEW proven_models;
    DROP VIEW model_verdicts;
    CREATE VIEW model_verdicts AS
      SELECT r.request ->> '$.model.model' AS model_id, c.no, c.at, c.body ->> '$.verdict' AS verdict, c.body, r.id AS run_id, r.exam_no,
        r.sides ->> '$.labels.base' AS against,
        coalesce(r.request ->> '$.against.kind' = 'base' AND r.request ->> '$.against.model' = r.request ->> '$.model.model', 0) AS of_base
      FROM exam_runs r
        JOIN exam_certificates c ON c.no = (SELECT max(x.no) FROM exam_certificates x WHERE x.run_no = r.no)
      WHERE r.request ->> '$.model.kind' = 'model' AND r.sides ->> '$.model.id' <> r.sides ->> '$.base.id';
    CREATE VIEW counting_verdicts AS
      WITH known AS MATERIALIZED (
        SELECT v.model_id, v.no, v.at, v.verdict, coalesce(v.body ->> '$.sessions', 0) AS sessions, v.body ->> '$.forms.metric' AS metric,
          v.of_base,
          -- what decides it, although the figures alone would not: it is better, and falls at a general benchmark
          v.verdict = 'not_proven' AND coalesce(v.body ->> '$.delta' >= .05 AND v.body ->> '$.sessions' >= 20
            AND v.body ->> '$.intervals.bootstrap.low' > 0 AND v.body ->> '$.intervals.clustered.low' > 0, 0) AS falls,
          -- exports are made later, from the same files
          coalesce((SELECT group_concat(h.key || ' ' || h.value, ' ' ORDER BY h.key) FROM json_each(v.body, '$.model.hashes') h
            WHERE h.key NOT GLOB 'gguf*' AND h.key NOT GLOB 'merged*'), '') AS files
        FROM model_verdicts v
      ),
      own AS MATERIALIZED (
        SELECT * FROM known k WHERE of_base
          AND files = (SELECT n.files FROM known n WHERE n.model_id = k.model_id AND n.of_base ORDER BY n.no DESC LIMIT 1)
      ),
      against AS (SELECT * FROM own WHERE verdict IN ('worse', 'bounded_null') OR falls),
      ranked AS (
        SELECT k.model_id, k.no, k.at, k.sessions,
          CASE
            WHEN k.no NOT IN (SELECT no FROM own) THEN 3
            WHEN k.no IN (SELECT no FROM against) THEN 1
            WHEN k.verdict <> 'ship' THEN 2
            WHEN EXISTS (SELECT 1 FROM against a WHERE a.model_id = k.model_id AND (a.verdict <> 'bounded_null' OR a.metric IS k.metric)
              AND (a.no > k.no OR a.sessions > k.sessions)) THEN 2
            ELSE 0
          END AS rank
        FROM known k
      )
      SELECT model_id, no, at, rank = 0 AS is_proof FROM (
        SELECT *, row_number() OVER (PARTITION BY model_id ORDER BY rank, CASE rank WHEN 0 THEN sessions END DESC, no DESC) AS place FROM ranked
      ) WHERE place = 1;
    -- Models with a proof, of which the newest probe found no leak.
    CREATE VIEW proven_models AS
      SELECT c.model_id, c.at FROM counting_verdicts c
      WHERE c.is_proof AND NOT EXISTS (
        SELECT 1 FROM models m JOIN model_probes p ON p.model_no = m.no WHERE m.id = c.model_id AND p.result ->> '$.state' = 'leaks');
  `,
}
