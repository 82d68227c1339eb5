import type { Migration } from '#server/db/schema.ts'

/** The repositories of agent runs (own), whose sessions name only the folder inside the sandbox. */
export const traceRunRepos: Migration = {
  number: 31,
  name: 'repositories of agent runs',
  // the last part of the folder or address that a run began with: what follows its last slash
  sql: `
    ALTER TABLE trace_runs ADD COLUMN repo TEXT;
    UPDATE trace_runs SET repo = (
      SELECT nullif(replace(place, rtrim(place, replace(place, '/', '')), ''), '') FROM (
        SELECT rtrim(coalesce(request ->> '$.directory', request ->> '$.repositoryUrl'), '/') AS place FROM tasks WHERE id = task_id
      )
    );
    UPDATE trace_runs SET repo = substr(repo, 1, length(repo) - 4) WHERE repo LIKE '%_.git';
    UPDATE traces SET repo = (SELECT repo FROM trace_runs WHERE trace_id = traces.id)
      WHERE id IN (SELECT trace_id FROM trace_runs WHERE repo IS NOT NULL);
  `,
}
