import { parks, WAITS } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { shellTasks } from './migrations/0025-shell-tasks.ts'
import { rollouts } from './migrations/0026-rollouts.ts'
import { shellGenerations } from './migrations/0028-shell-generations.ts'

/** An SQL literal. */
const ENDED_GENERATION = "('completed', 'cancelled', 'budget', 'failed', 'interrupted')"

export const shellRlSchema: Schema = {
  own: {
    shell_tasks: keeps('commands that run only when the user validates or plays them, in a sandbox without network'),
    rollout_sets: parks({
      kind: 'rollouts',
      rows: `SELECT id, name AS title, state NOT IN ('done', 'cancelled', 'stopped') AS active,
          json_object('settings', json(settings), 'tasks',
            json((SELECT json_group_array(json(task)) FROM rollout_tasks WHERE set_no = rollout_sets.no))) AS named
        FROM rollout_sets ORDER BY no`,
      end: [
        `UPDATE rollout_sets SET state = 'stopped', detail = ${WAITS}, ended_at = coalesce(ended_at, created_at)
         WHERE state NOT IN ('done', 'cancelled', 'stopped')`,
        'UPDATE rollout_sets SET idempotency_key = NULL',
      ],
    }),
    rollout_tasks: keeps('the tasks of a set, which waits'),
    rollout_episodes: keeps('results of episodes'),
    shell_generations: parks({
      kind: 'generation',
      rows: `SELECT id, coalesce(request ->> '$.split', id) AS title, state NOT IN ${ENDED_GENERATION} AS active, request AS named
        FROM shell_generations ORDER BY no`,
      end: [
        `UPDATE shell_generations SET state = 'interrupted', message = ${WAITS}, ended_at = coalesce(ended_at, created_at)
         WHERE state NOT IN ${ENDED_GENERATION}`,
      ],
    }),
    shell_candidates: keeps('candidates of a generation, which waits'),
  },
  fileNames: [['rollout_sets', 'id', 'trace']],
  migrations: [shellTasks, rollouts, shellGenerations],
}
