import { z } from 'zod'
import { route } from '../derive/route.ts'
import { Cursor, csv, Limit, page } from '../entities/common.ts'
import { Job } from '../entities/job.ts'
import { ShellSplit, ShellTask, ShellTaskId, ShellTaskItem, ShellTaskSource, ShellValidation } from '../entities/shell-task.ts'

const group = 'shell-tasks'
const params = z.object({ id: ShellTaskId })

export const ShellTaskFilter = z.object({
  split: csv(ShellSplit).optional(),
  difficulty: csv(z.enum(['1', '2', '3', '4', 'none'])).optional(),
  source: csv(ShellTaskSource).optional(),
  status: csv(z.enum([...ShellValidation.shape.status.options, 'none']))
    .optional()
    .meta({ description: 'of its validation; none: not validated' }),
  q: z.string().max(500).optional().meta({ description: 'words of the task, its commands or its id' }),
})
export type ShellTaskFilter = z.infer<typeof ShellTaskFilter>

const Counts = z.record(z.string(), z.number().int())

export const listShellTasks = route({
  name: 'listShellTasks',
  group,
  method: 'get',
  path: '/api/shell-tasks',
  summary: 'Shell tasks, in the order in which they came; the starter set is there without a step',
  query: ShellTaskFilter.extend({ cursor: Cursor, limit: Limit }),
  response: page(ShellTaskItem).extend({
    counts: z
      .object({ split: Counts, difficulty: Counts, source: Counts, status: Counts })
      .meta({ description: 'of all that match, for each facet without its own filter' }),
  }),
  errors: ['invalid_request'],
})
export const importShellTasks = route({
  name: 'importShellTasks',
  group,
  method: 'post',
  path: '/api/shell-tasks',
  summary: 'Import shell tasks from JSON lines or Parquet; `result` of the job is a ShellTaskImport. A bad line stops nothing',
  status: 202,
  body: z.object({
    file: z.string().min(1).max(4096).optional().meta({ description: 'absolute; either this or text' }),
    text: z.string().min(1).optional().meta({ description: 'JSON lines' }),
    split: ShellSplit,
    isHeldOut: z
      .boolean()
      .optional()
      .meta({ description: 'rows of a held-out split never enter training; test, eval, heldout and *-heldout are held out by their name' }),
    keepNear: z.boolean().default(false).meta({ description: 'keep what is nearly the same as another task of its kind of split' }),
  }),
  response: Job,
  errors: ['invalid_request', 'path_refused', 'confirmation_required'],
})
export const exportShellTasks = route({
  name: 'exportShellTasks',
  group,
  method: 'get',
  path: '/api/shell-tasks/export',
  summary: 'Shell tasks as JSON lines, a tar file of Harbor task folders, or rows of verifiers. Invalid ones are left out unless asked for',
  query: ShellTaskFilter.extend({ format: z.enum(['jsonl', 'harbor', 'verifiers']).default('jsonl') }),
  produces: 'application/octet-stream',
  errors: ['invalid_request'],
})
export const getShellTask = route({
  name: 'getShellTask',
  group,
  method: 'get',
  path: '/api/shell-tasks/{id}',
  summary: 'A shell task, with the evidence of its validation',
  params,
  response: ShellTask,
  errors: ['shell_task_not_found'],
})
