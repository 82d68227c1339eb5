import { parks } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { sandboxes } from './migrations/0018-sandboxes.ts'
import { traceChecks } from './migrations/0021-trace-checks.ts'
import { typedCommands } from './migrations/0019-typed-commands.ts'
import { sandboxTraffic } from './migrations/0020-sandbox-traffic.ts'
import { shellGenerations } from './migrations/0028-shell-generations.ts'
import { taskVerdicts } from './migrations/0035-task-verdicts.ts'
import { keptFiles } from './migrations/0039-kept-files.ts'
import { tasks } from './migrations/0022-tasks.ts'
import { taskBatches } from './migrations/0023-task-batches.ts'
import { shellTasks } from './migrations/0025-shell-tasks.ts'
import { taskReviews } from './migrations/0024-task-reviews.ts'
import { rollouts } from './migrations/0026-rollouts.ts'

/** SQL literals. */
const ENDED_TASK = "('paused', 'review', 'done', 'failed', 'stopped', 'unverified')"
const ENDED_GENERATION = "('completed', 'cancelled', 'budget', 'failed', 'interrupted')"
const WAITS = `'Restored from a backup. It waits for "Use again" in Settings.'`

export const arenaSchema: Schema = {
  own: {
    sandboxes: parks({
      kind: 'sandbox',
      rows: `SELECT id, coalesce(spec ->> '$.name', id) AS title, 0 AS active, spec AS named FROM sandboxes ORDER BY no`,
      end: [
        `UPDATE sandboxes SET status = 'stopped', end_reason = coalesce(end_reason, 'owner_died'), ended_at = coalesce(ended_at, created_at)
         WHERE status <> 'stopped'`,
        'UPDATE sandboxes SET kept = NULL', // a backup has no files of sandboxes
      ],
    }),
    sandbox_commands: keeps('a history of commands'),
    trace_checks: keeps('results of checks'),
    tasks: parks({
      kind: 'agent-run',
      rows: `SELECT id, title, state NOT IN ${ENDED_TASK} AS active,
          json_object('request', json(request), 'kept', facts -> '$.kept') AS named FROM tasks ORDER BY no`,
      end: [
        `UPDATE tasks SET state = 'stopped', ended_at = coalesce(ended_at, created_at),
           facts = json_set(facts, '$.detail', ${WAITS}, '$.question', NULL, '$.waitingUntil', NULL, '$.sandboxId', NULL)
         WHERE state NOT IN ${ENDED_TASK}`,
        `UPDATE tasks SET facts = json_set(facts, '$.isUnread', json('false'), '$.sandboxId', NULL) WHERE state = 'paused'`,
        'UPDATE tasks SET idempotency_key = NULL',
      ],
    }),
    task_events: keeps('what agents did'),
    task_batches: parks({
      kind: 'batch',
      rows: `SELECT id, coalesce(request ->> '$.name', 'batch') AS title, state NOT IN ('done', 'cancelled', 'stopped') AS active,
          request AS named FROM task_batches ORDER BY no`,
      end: [
        `UPDATE task_batches SET state = 'stopped', detail = ${WAITS}, again = '[]', ended_at = coalesce(ended_at, created_at)
         WHERE state NOT IN ('done', 'cancelled', 'stopped')`,
        'UPDATE task_batches SET idempotency_key = NULL',
      ],
    }),
    task_reviews: keeps('comments on changes'),
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
  fileNames: [
    ['tasks', 'id', 'trace'],
    ['rollout_sets', 'id', 'trace'],
  ],
  migrations: [
    sandboxes,
    typedCommands,
    sandboxTraffic,
    traceChecks,
    tasks,
    taskBatches,
    taskReviews,
    shellTasks,
    rollouts,
    shellGenerations,
    taskVerdicts,
    keptFiles,
  ],
}
