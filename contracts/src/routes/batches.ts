import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Batch, BatchId, BatchPlan, BatchReport, BatchRequest, BatchTask, BatchWinner } from '../entities/batch.ts'
import { Cursor, IdempotencyKey, Limit, page } from '../entities/common.ts'
import { TaskId } from '../entities/task.ts'
import { Selection } from './traces.ts'

const route = routesOf('batches')
const params = z.object({ id: BatchId })
const BatchBody = BatchRequest.partial({ tasks: true }).extend({
  traces: Selection.optional().meta({
    description: 'instead of tasks: the first prompt of each session, on the newest commit before it; the key is the id of the session',
  }),
})

export const createBatch = route.post('createBatch', '/api/batches', {
  summary: 'Give tasks to agents, with a number of attempts and a limit of runs at once',
  body: BatchBody.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: Batch,
  status: 202,
  stored: 'sessions',
  errors: ['invalid_request', 'task_refused', 'filter_invalid', 'state_not_restorable', 'path_refused', 'confirmation_required'],
})
export const planBatch = route.post('planBatch', '/api/batches/plan', {
  summary: 'Preview a batch: number of tasks, who pays, estimated cost, and why it cannot start; nothing is run',
  body: BatchBody,
  response: BatchPlan,
  onlyLooks: true,
  errors: ['invalid_request', 'filter_invalid', 'path_refused', 'confirmation_required'],
})
export const listBatches = route.get('listBatches', '/api/batches', {
  summary: 'Batches of tasks, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(Batch),
})
export const getBatch = route.get('getBatch', '/api/batches/{id}', {
  summary: 'A batch with its progress; with waitMs, the response waits until another attempt has ended',
  params,
  query: z.object({
    waitMs: z.coerce.number().int().min(0).max(30_000).default(0),
    ended: z.coerce.number().int().default(0).meta({ description: 'how many ended attempts the caller knows' }),
  }),
  response: Batch,
  errors: ['batch_not_found'],
})
export const getBatchReport = route.get('getBatchReport', '/api/batches/{id}/report', {
  summary: 'Pass rates with their intervals, cost and time, by task and by model, and the result of each attempt',
  params,
  response: BatchReport,
  errors: ['batch_not_found'],
})
export const downloadBatch = route.get('downloadBatch', '/api/batches/{id}/results', {
  summary: 'The result of each attempt, as JSON Lines or CSV',
  params,
  query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
  produces: 'application/octet-stream',
  errors: ['batch_not_found'],
})
export const chooseWinner = route.post('chooseWinner', '/api/batches/{id}/winner', {
  summary: 'Choose the best attempt at a task. Its checks must have passed; it is preferred to attempts whose checks failed',
  params,
  body: z.object({ key: BatchTask.shape.key, taskId: TaskId.nullable().meta({ description: 'null removes the choice' }) }),
  response: z.object({ winners: z.array(BatchWinner) }),
  stored: { none: 'it only stores a choice' },
  errors: ['batch_not_found', 'invalid_request'],
})
export const cancelBatch = route.post('cancelBatch', '/api/batches/{id}/cancel', {
  summary: 'Stop a batch; responds when none of its runs is active',
  params,
  stored: { none: 'it only ends runs' },
  response: Batch,
  errors: ['batch_not_found'],
})
export const retryBatch = route.post('retryBatch', '/api/batches/{id}/retry', {
  summary: 'Resume a batch: repeats only attempts without a result',
  params,
  body: z.object({ maxCostUsd: z.number().positive().nullable().optional().meta({ description: 'a new limit' }) }),
  response: Batch,
  status: 202,
  stored: 'batch',
  errors: ['batch_not_found', 'path_refused', 'confirmation_required'],
})
