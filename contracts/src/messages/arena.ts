import { z } from 'zod'
import { Batch } from '../entities/batch.ts'
import { CheckRunner, CheckStatus } from '../entities/check.ts'
import { Instant, Tokens, TraceId } from '../entities/common.ts'
import { RolloutSet, RolloutSetId } from '../entities/rollout.ts'
import { EnvironmentId } from '../entities/environment.ts'
import { Task, TaskId } from '../entities/task.ts'
import { Sandbox, SandboxCapacity, SandboxUsage } from '../entities/sandbox.ts'
import { ShellTaskId } from '../entities/shell-task.ts'
import type { MessageGroup } from './group.ts'

const activity = z.object({
  id: z.string(),
  busy: z.boolean(),
  sessionCommandCount: z.number().int(),
  lastUsedAt: Instant.nullable(),
})

const batchProgress = z.object({ batch: Batch })

const taskProgress = z.object({
  id: TaskId,
  lastEvent: z.number().int(),
  turns: z.number().int(),
  tokens: Tokens,
  costUsd: z.number().nullable(),
})

const rolloutsProgress = z.object({ set: RolloutSet })

export const arenaMessages = {
  durable: {
    'sandbox:status': z.object({ sandbox: Sandbox }),
    'sandbox:removed': z.object({ id: z.string() }),
    'task:status': z.object({ task: Task }),
    'task:complete': z.object({ task: Task }),
    'task:removed': z.object({ id: TaskId }),
    /** Sent when a batch is created or its state changes. */
    'batch:status': z.object({ batch: Batch }),
    'rollouts:status': z.object({ set: RolloutSet }),
    'rollouts:removed': z.object({ id: RolloutSetId }),
    'verification:result': z.object({
      taskId: TaskId.nullable(),
      traceId: TraceId.nullable(),
      status: CheckStatus,
      runner: CheckRunner.nullable(),
      passed: z.number().int().nullable(),
      failed: z.number().int().nullable(),
      total: z.number().int().nullable(),
    }),
  },
  passing: {
    'task:progress': taskProgress,
    /** Sent when an attempt starts, cannot start, or ends, and when the best attempt at a task is chosen. */
    'batch:progress': batchProgress,
    'rollouts:progress': rolloutsProgress,
    'sandbox:activity': activity,
    'sandbox:usage': z.object({ items: z.array(SandboxUsage) }),
    'sandbox:queue': SandboxCapacity,
    'sandbox:snapshots': z.object({ names: z.array(z.string()) }),
    'environment:sessions': z.object({ id: EnvironmentId }),
    'shell-tasks:changed': z.object({ id: ShellTaskId.nullable().meta({ description: 'null if several changed' }) }),
  },
  newestOnly: {
    'rollouts:progress': ({ set }: z.infer<typeof rolloutsProgress>) => set.id,
    'task:progress': ({ id }: z.infer<typeof taskProgress>) => id,
    'batch:progress': ({ batch }: z.infer<typeof batchProgress>) => batch.id,
    'sandbox:activity': ({ id }: z.infer<typeof activity>) => id,
    'sandbox:usage': () => '',
    'sandbox:queue': () => '',
    'sandbox:snapshots': () => '',
    'environment:sessions': ({ id }: { id: string }) => id,
  },
  overtakes: {
    'batch:status': ({ batch }: z.infer<typeof batchProgress>) => ({ type: 'batch:progress' as const, same: batch.id }),
    'rollouts:status': ({ set }: z.infer<typeof rolloutsProgress>) => ({ type: 'rollouts:progress' as const, same: set.id }),
  },
} satisfies MessageGroup
