import type { Schema } from '#server/db/schema.ts'
import { sandboxes } from './migrations/0018-sandboxes.ts'
import { traceChecks } from './migrations/0021-trace-checks.ts'
import { typedCommands } from './migrations/0019-typed-commands.ts'
import { sandboxTraffic } from './migrations/0020-sandbox-traffic.ts'
import { shellGenerations } from './migrations/0028-shell-generations.ts'
import { tasks } from './migrations/0022-tasks.ts'
import { taskBatches } from './migrations/0023-task-batches.ts'
import { shellTasks } from './migrations/0025-shell-tasks.ts'
import { taskReviews } from './migrations/0024-task-reviews.ts'
import { rollouts } from './migrations/0026-rollouts.ts'

export const arenaSchema: Schema = {
  own: [
    'sandboxes',
    'sandbox_commands',
    'trace_checks',
    'tasks',
    'task_events',
    'task_batches',
    'task_reviews',
    'shell_tasks',
    'rollout_sets',
    'rollout_tasks',
    'rollout_episodes',
    'shell_generations',
    'shell_candidates',
  ],
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
  ],
}
