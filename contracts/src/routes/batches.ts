import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { Batch, BatchId, BatchPlan, BatchReport, BatchRequest, BatchTask, BatchWinner } from '../entities/batch.ts'
import { Cursor, IdempotencyKey, Limit, page } from '../entities/common.ts'
import { TaskId } from '../entities/task.ts'
import { Selection } from './traces.ts'

const route = routesOf('batches')
const params = z.object({ id: BatchId })
const Asked = BatchRequest.partial({ tasks: true }).extend({
  traces: Selection.optional().meta({
    description: 'instead of tasks: the first prompt of each session, on the newest commit from before it; the key is its id',
  }),
})

export const createBatch = route.post('createBatch', '/api/batches', {
  summary: 'Give tasks to agents, each as often as is asked, so many at once',
  body: Asked.extend({ idempotencyKey: IdempotencyKey.optional() }),
  response: Batch,
  status: 202,
  errors: ['invalid_request', 'task_refused', 'filter_invalid', 'state_not_restorable'],
})
export const planBatch = route.post('planBatch', '/api/batches/plan', {
  summary: 'What a batch would be: how many tasks, who pays, what it may cost, and why it would not start; nothing is run',
  body: Asked,
  response: BatchPlan,
  errors: ['invalid_request', 'filter_invalid'],
})
export const listBatches = route.get('listBatches', '/api/batches', {
  summary: 'Batches of tasks, newest first',
  query: z.object({ cursor: Cursor, limit: Limit }),
  response: page(Batch),
})
export const getBatch = route.get('getBatch', '/api/batches/{id}', {
  summary: 'A batch, and how far it is; with waitMs not before another attempt has ended',
  params,
  query: z.object({
    waitMs: z.coerce.number().int().min(0).max(30_000).default(0),
    ended: z.coerce.number().int().default(0).meta({ description: 'attempts that the caller knows to have ended' }),
  }),
  response: Batch,
  errors: ['batch_not_found'],
})
export const getBatchReport = route.get('getBatchReport', '/api/batches/{id}/report', {
  summary: 'Pass rates with their intervals, cost and time, by task and by model, and what came of each attempt',
  params,
  response: BatchReport,
  errors: ['batch_not_found'],
})
export const downloadBatch = route.get('downloadBatch', '/api/batches/{id}/results', {
  summary: 'What came of each attempt, as JSON lines or as a table',
  params,
  query: z.object({ format: z.enum(['jsonl', 'csv']).default('jsonl') }),
  produces: 'application/octet-stream',
  errors: ['batch_not_found'],
})
export const chooseWinner = route.post('chooseWinner', '/api/batches/{id}/winner', {
  summary: 'Choose the best attempt at a task, whose checks passed; it is preferred to those whose checks failed',
  params,
  body: z.object({ key: BatchTask.shape.key, taskId: TaskId.nullable().meta({ description: 'null: none any more' }) }),
  response: z.object({ winners: z.array(BatchWinner) }),
  errors: ['batch_not_found', 'invalid_request'],
})
export const cancelBatch = route.post('cancelBatch', '/api/batches/{id}/cancel', {
  summary: 'Stop a batch; answers once nothing of it is running',
  params,
  response: Batch,
  errors: ['batch_not_found'],
})
export const retryBatch = route.post('retryBatch', '/api/batches/{id}/retry', {
  summary: 'Go on with a batch: attempts that have no result are made again, and no others',
  params,
  body: z.object({ maxCostUsd: z.number().positive().nullable().optional().meta({ description: 'instead of that of before' }) }),
  response: Batch,
  status: 202,
  errors: ['batch_not_found'],
})
