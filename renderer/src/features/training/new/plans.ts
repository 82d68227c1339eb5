import type { MatrixRequest } from '#contracts/entities/run-matrix.ts'
import type { RunRequest } from '#contracts/entities/run.ts'
import { api } from '#renderer/api/client.ts'
import { runKeys } from '#renderer/api/runs.ts'

export const RUN_PLAN = { key: runKeys.plan, ask: (body: RunRequest, signal: AbortSignal) => api.planRun({ body, signal }) }

export const MATRIX_PLAN = { key: runKeys.matrixPlan, ask: (body: MatrixRequest, signal: AbortSignal) => api.planMatrix({ body, signal }) }
