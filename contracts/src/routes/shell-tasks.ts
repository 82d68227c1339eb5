import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Cursor, csv, Limit, page, TraceId } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { HubId, HubRef, HubRevision } from '../entities/base-model.ts'
import { Sandbox } from '../entities/sandbox.ts'
import { ShellTaskProposals } from '../entities/shell-proposal.ts'
import {
  HubShellTasks,
  ShellSplit,
  ShellTask,
  ShellTaskBody,
  ShellTaskCheck,
  ShellTaskId,
  ShellTaskItem,
  ShellTaskSource,
  ShellValidation,
} from '../entities/shell-task.ts'
import { ASKS_HUB } from '../errors/training.ts'
import { folderField, READ_ROWS } from '../places.ts'

const route = routesOf('shell-tasks')
const params = z.object({ id: ShellTaskId })

export const ShellTaskFilter = z.object({
  split: csv(ShellSplit).optional(),
  difficulty: csv(z.enum(['1', '2', '3', '4', 'none'])).optional(),
  source: csv(ShellTaskSource).optional(),
  status: csv(z.enum([...ShellValidation.shape.status.options, 'none']))
    .optional()
    .meta({ description: 'status of the validation; none means not validated' }),
  q: z.string().max(500).optional().meta({ description: 'words of the task, its commands or its id' }),
})
export type ShellTaskFilter = z.infer<typeof ShellTaskFilter>

const Counts = z.record(z.string(), z.number().int())

export const listShellTasks = route.get('listShellTasks', '/api/shell-tasks', {
  summary: 'Shell tasks, in the order of their import; the starter set is always included',
  query: ShellTaskFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(ShellTaskItem).extend({
    counts: z
      .object({ split: Counts, difficulty: Counts, source: Counts, status: Counts })
      .meta({ description: 'counts of matching tasks; each facet ignores its own filter' }),
    heldOutSplits: z.array(ShellSplit).meta({ description: 'all held-out splits, not filtered' }),
  }),
  errors: ['invalid_request'],
})
export const lookUpShellTasks = route.post('lookUpShellTasks', '/api/shell-tasks/hub', {
  summary: 'Read size, licence and files of a data set on the hub; nothing is downloaded',
  body: z.object({ id: HubId, ref: HubRef.default('main'), split: ShellSplit }),
  response: HubShellTasks,
  errors: ASKS_HUB,
})
export const importShellTasks = route.post('importShellTasks', '/api/shell-tasks', {
  summary: 'Import shell tasks from JSON Lines or Parquet; `result` of the job is a ShellTaskImport. Invalid lines are skipped',
  status: 202,
  body: z.object({
    file: folderField(z.string().min(1).max(4096), READ_ROWS, { title: 'Confirm reading this file or folder' })
      .optional()
      .meta({ description: 'absolute path, or a folder of Harbor tasks; one of file, text and hub is given' }),
    text: z.string().min(1).optional().meta({ description: 'JSON lines' }),
    hub: z
      .object({ id: HubId, ref: HubRef.default('main'), revision: HubRevision })
      .optional()
      .meta({ description: 'a data set on the hub, as it was looked up' }),
    split: ShellSplit,
    isHeldOut: z
      .boolean()
      .optional()
      .meta({ description: 'held-out splits are never used for training; test, eval, heldout and *-heldout are held out by name' }),
    keepNear: z.boolean().default(false).meta({ description: 'keep tasks that are nearly the same as another one' }),
  }),
  response: Job,
  errors: ['invalid_request', 'path_refused', 'confirmation_required', 'hub_not_set_up'],
})
export const exportShellTasks = route.get('exportShellTasks', '/api/shell-tasks/export', {
  summary:
    'Shell tasks as JSON Lines, a tar file of Harbor task folders, or rows for verifiers. Invalid tasks are excluded unless requested',
  query: ShellTaskFilter.extend({ format: z.enum(['jsonl', 'harbor', 'verifiers']).default('jsonl') }),
  produces: 'application/octet-stream',
  errors: ['invalid_request'],
})
export const proposeShellTasks = route.post('proposeShellTasks', '/api/shell-tasks/proposals', {
  summary: 'Shell tasks that can be made from the successful shell calls of a session. Stores nothing',
  body: z.object({ traceId: TraceId }),
  response: ShellTaskProposals,
  errors: ['trace_not_found'],
})
export const getShellTask = route.get('getShellTask', '/api/shell-tasks/{id}', {
  summary: 'A shell task, with the evidence of its validation',
  params,
  response: ShellTask,
  errors: ['shell_task_not_found'],
})
export const createShellTask = route.post('createShellTask', '/api/shell-tasks/own', {
  summary: 'Write a shell task of your own',
  body: ShellTaskBody.extend({
    id: ShellTaskId.optional(),
    split: ShellSplit.default('own'),
    source: ShellTaskSource.extract(['own', 'session']).default('own').meta({ description: 'session means made from a proposal' }),
    extra: z.record(z.string(), z.unknown()).default({}).meta({ description: 'additional fields, such as its session' }),
  }),
  response: ShellTask,
  status: 201,
  errors: ['invalid_request', 'shell_task_exists', 'shell_task_near_held_out'],
})
export const changeShellTask = route.patch('changeShellTask', '/api/shell-tasks/{id}', {
  summary: 'Change a shell task; its validation is cleared',
  params,
  body: ShellTaskBody.partial().strict(),
  response: ShellTask,
  errors: ['shell_task_not_found', 'shell_task_near_held_out'],
})
export const removeShellTask = route.delete('removeShellTask', '/api/shell-tasks/{id}', {
  summary: 'Remove a shell task',
  params,
  response: z.object({ id: ShellTaskId }),
  errors: ['shell_task_not_found'],
})
export const validateShellTask = route.post('validateShellTask', '/api/shell-tasks/{id}/validate', {
  summary: 'Check a task in fresh sandboxes, with six verdicts; `result` of the job is a ShellTaskValidated',
  status: 202,
  params,
  body: z.object({}).default({}),
  response: Job,
  errors: ['shell_task_not_found'],
})
export const validateShellTasks = route.post('validateShellTasks', '/api/shell-tasks/validate', {
  summary: 'Validate several tasks, by id or filter',
  status: 202,
  body: z.union([z.object({ ids: z.array(ShellTaskId).min(1).max(100_000) }), z.object({ filter: ShellTaskFilter.strict() })]),
  response: Job,
  errors: ['invalid_request', 'shell_task_not_found'],
})
export const runShellTask = route.post('runShellTask', '/api/shell-tasks/{id}/run', {
  summary: 'Open a sandbox with the set-up of a task, to solve it by hand',
  status: 201,
  params,
  body: z.object({}).default({}),
  response: Sandbox,
  errors: [
    'shell_task_not_found',
    'setup_failed',
    'command_blocked',
    'sandbox_capacity',
    'backend_unavailable',
    'isolation_unavailable',
    'engine_failed',
  ],
})
export const checkShellTask = route.post('checkShellTask', '/api/shell-tasks/{id}/check', {
  summary: 'Run the check of a task in its sandbox, in a separate process',
  params,
  body: z.object({ sandboxId: z.string().min(1).max(100) }),
  response: ShellTaskCheck,
  errors: ['shell_task_not_found', 'invalid_request', 'sandbox_not_found', 'sandbox_not_started', 'session_lost', 'command_blocked'],
})
