import type { z } from 'zod'
import type { MatrixPlan, MatrixRequest, RunMatrix } from '#contracts/entities/run-matrix.ts'
import type { PlanNote } from '#contracts/entities/run.ts'
import { AppError } from '#contracts/errors.ts'
import type { startMatrix } from '#contracts/routes/training-matrix.ts'
import { createOnce } from '#server/runs/once.ts'
import type { Planned } from '../plan/plan.ts'
import { newRunId } from '../run-id.ts'
import type { PreparedRun, RunService, ServiceDeps } from '../service.ts'
import type { RunStore } from '../store.ts'
import { type Combination, combinationsOf, textOfValues } from './combinations.ts'

interface MatrixDeps {
  store: RunStore
  runs: RunService
  plan: ServiceDeps['plan']
  requirePython: ServiceDeps['requirePython']
}

/** A combination with its plan, which is null if its base model is missing. */
interface PlannedCombination extends Combination {
  planned: Planned | null
  refusals: PlanNote[]
}

/** Starts one ordinary run for every combination of some settings. The runs share the id of their matrix. */
export function createMatrixService({ store, runs, plan, requirePython }: MatrixDeps) {
  const planAll = async (request: MatrixRequest, signal: AbortSignal): Promise<PlannedCombination[]> => {
    const tried: PlannedCombination[] = []
    for (const one of combinationsOf(request)) tried.push(await planOne(one, signal)) // one at a time: each plan measures rows
    return tried
  }
  const planOne = async (one: Combination, signal: AbortSignal): Promise<PlannedCombination> => {
    try {
      const planned = await plan(one.request, signal)
      return { ...one, planned, refusals: planned.plan.notes.filter(({ level }) => level === 'refusal') }
    } catch (error) {
      if (!(error instanceof AppError && error.code === 'base_model_not_found')) throw error
      const refusal = { level: 'refusal', code: error.code, message: error.message, hint: error.hint ?? null, row: null, field: 'baseModel', apply: null } as const // prettier-ignore
      return { ...one, planned: null, refusals: [refusal] }
    }
  }
  const get = (id: string): RunMatrix => {
    const rows = store.ofMatrix(id)
    if (rows.length === 0) throw new AppError('matrix_not_found', { message: `There is no matrix of runs with the id "${id}".` })
    return { id, runs: rows.map(runs.toDocument) }
  }

  const once = createOnce((key) => {
    const id = store.byKey(key)?.setup.matrix?.id
    return id === undefined ? null : get(id)
  })

  return {
    get,
    async plan(request: MatrixRequest, signal: AbortSignal): Promise<MatrixPlan> {
      const tried = await planAll(request, signal)
      const startable = tried.filter(({ refusals }) => refusals.length === 0).flatMap(({ planned }) => planned ?? [])
      return {
        runs: tried.map(({ request: { name }, values, planned, refusals }) => ({
          name: name!,
          values,
          steps: planned?.plan.steps ?? null,
          seconds: planned?.plan.seconds ? { low: planned.plan.seconds.low, high: planned.plan.seconds.high } : null,
          diskBytes: planned?.plan.diskBytes ?? null,
          refusals,
        })),
        startable: startable.length,
        seconds: bounds(startable),
        diskBytes: sum(startable.map((one) => one.plan.diskBytes)),
        diskFreeBytes: tried.find(({ planned }) => planned !== null)?.planned?.plan.diskFreeBytes ?? null,
      }
    },
    start: ({ idempotencyKey, skipRefused, ...request }: z.output<typeof startMatrix.body>, signal: AbortSignal): Promise<RunMatrix> => {
      const key = idempotencyKey === undefined ? undefined : `matrix ${idempotencyKey}` // stored with the first run
      return once(key, async () => {
        const tried = await planAll(request, signal)
        refuseUnlessSkipped(tried, skipRefused)
        await requirePython()
        const id = newRunId()
        const prepared: PreparedRun[] = []
        try {
          for (const { request: one, values, planned, refusals } of tried)
            if (planned && refusals.length === 0) prepared.push(await runs.prepare(one, planned, { id, values }))
        } catch (error) {
          prepared.forEach((run) => run.undo())
          throw error
        }
        runs.enqueue(prepared, key ?? null)
        return get(id)
      })
    },
    async cancel(id: string, keepCheckpoint: boolean): Promise<RunMatrix> {
      const unfinished = get(id).runs.filter(({ state }) => !OVER.has(state))
      // waiting runs first, or the queue would start the next one
      for (const { id: run } of unfinished.toSorted((a, b) => Number(b.state === 'queued') - Number(a.state === 'queued')))
        await runs.cancel(run, keepCheckpoint).catch((error: unknown) => {
          const isOver = store.find(run) === null || OVER.has(store.require(run).state)
          if (!isOver) throw error // a run that ended or was deleted meanwhile is no problem
        })
      return get(id)
    },
  }
}
export type MatrixService = ReturnType<typeof createMatrixService>

const OVER = new Set<string>(['completed', 'failed', 'cancelled'])

function refuseUnlessSkipped(tried: readonly PlannedCombination[], skipRefused: boolean): void {
  const refused = tried.filter(({ refusals }) => refusals.length > 0)
  const [first] = refused
  if (!first || (skipRefused && refused.length < tried.length)) return
  const [note] = first.refusals
  throw new AppError('run_refused', {
    message: `${refused.length} of ${tried.length} runs would fail, so none was started. ${textOfValues(first.values)}: ${note!.message}`,
    hint: refused.length === tried.length ? (note!.hint ?? 'Change the settings.') : 'Leave out these values, or skip the refused runs.',
    details: { refused: refused.map(({ values, refusals }) => ({ values, notes: refusals })) },
  })
}

/** Null if any value is null. */
const sum = (values: readonly (number | null)[]): number | null =>
  values.reduce((total, value) => (total === null || value === null ? null : total + value), 0 as number | null)

function bounds(planned: readonly Planned[]): MatrixPlan['seconds'] {
  if (planned.length === 0) return null
  const [low, high] = [
    sum(planned.map(({ plan }) => plan.seconds?.low ?? null)),
    sum(planned.map(({ plan }) => plan.seconds?.high ?? null)),
  ]
  return low === null || high === null ? null : { low, high }
}
