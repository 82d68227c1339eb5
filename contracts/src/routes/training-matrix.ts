import { z } from 'zod'
import { routesOf } from '../derive/route.ts'
import { IdempotencyKey } from '../entities/common.ts'
import { MatrixId } from '../entities/matrix-values.ts'
import { MatrixPlan, MatrixRequest, RunMatrix } from '../entities/run-matrix.ts'

const route = routesOf('training')
const params = z.object({ id: MatrixId })

export const planMatrix = route.post('planMatrix', '/api/training/matrix/plan', {
  summary: 'Preview a matrix: number of runs, duration, and refused combinations; nothing is written',
  body: MatrixRequest,
  response: MatrixPlan,
  onlyLooks: true,
  errors: ['dataset_not_found', 'shell_split_not_found', 'path_refused', 'confirmation_required'],
})
export const startMatrix = route.post('startMatrix', '/api/training/matrix', {
  summary: 'Queue a run for every combination, all or none; the same idempotencyKey returns the same runs',
  status: 202,
  body: MatrixRequest.extend({
    skipRefused: z.boolean().default(false).meta({ description: 'start the other runs if some combinations are refused' }),
    idempotencyKey: IdempotencyKey.optional(),
  }),
  response: RunMatrix,
  errors: ['dataset_not_found', 'shell_split_not_found', 'path_refused', 'run_refused', 'training_unavailable', 'confirmation_required'],
})
export const getMatrix = route.get('getMatrix', '/api/training/matrix/{id}', {
  summary: 'The runs of a matrix',
  params,
  response: RunMatrix,
  errors: ['matrix_not_found'],
})
export const cancelMatrix = route.post('cancelMatrix', '/api/training/matrix/{id}/cancel', {
  summary: 'Cancel the unfinished runs of a matrix',
  params,
  stored: { none: 'it only ends processes' },
  body: z.object({ keepCheckpoint: z.boolean().default(false) }),
  response: RunMatrix,
  errors: ['matrix_not_found'],
})
