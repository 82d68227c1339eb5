import { parks, WAITS } from '#server/db/parks.ts'
import { keeps, type Schema } from '#server/db/schema.ts'
import { tasks } from './migrations/0022-tasks.ts'
import { taskBatches } from './migrations/0023-task-batches.ts'
import { taskReviews } from './migrations/0024-task-reviews.ts'
import { taskVerdicts } from './migrations/0035-task-verdicts.ts'

/** An SQL literal. */
const ENDED_TASK = "('paused', 'review', 'done', 'failed', 'stopped', 'unverified')"

export const agentsSchema: Schema = {
  own: {
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
  },
  published: ['tasks'],
  fileNames: [['tasks', 'id', 'trace']],
  migrations: [tasks, taskBatches, taskReviews, taskVerdicts],
}
