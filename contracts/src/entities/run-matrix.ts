import { z } from 'zod'
import { PlanNote, Run, RunRequest } from './run.ts'
import { MatrixId, MatrixValue, MatrixValues } from './matrix-values.ts'

export const MAX_MATRIX_RUNS = 32

/** The number of combinations. */
export const matrixSize = (axes: Readonly<Record<string, readonly unknown[]>>): number =>
  Object.values(axes).reduce((product, values) => product * values.length, 1)

const isDistinct = (values: readonly unknown[]) => new Set(values.map((value) => JSON.stringify(value))).size === values.length

/** Settings by their path, each with the values to try; every combination is a run. */
export const MatrixAxes = z
  .record(
    z.string().regex(/^[a-z][A-Za-z0-9]*(?:\.[a-z][A-Za-z0-9]*)?$/, 'Use the path of a setting, such as learningRate or method.rank.'),
    z.array(MatrixValue).min(1).max(MAX_MATRIX_RUNS).refine(isDistinct, 'This value is listed twice.'),
  )
  .refine((axes) => Object.keys(axes).length > 0, 'Choose at least one setting with values to try.')
  .refine((axes) => matrixSize(axes) <= MAX_MATRIX_RUNS, `At most ${MAX_MATRIX_RUNS} combinations are allowed. Remove some values.`)
  .meta({
    id: 'MatrixAxes',
    description: `values by setting (\`learningRate\`, \`method.rank\`, \`seed\`) or \`baseModel\`; at most ${MAX_MATRIX_RUNS} combinations`,
  })
export type MatrixAxes = z.infer<typeof MatrixAxes>

export const MatrixRequest = RunRequest.extend({ axes: MatrixAxes }).meta({ id: 'MatrixRequest' })
export type MatrixRequest = z.infer<typeof MatrixRequest>

/** A preview of each run of a matrix; nothing is written. */
export const MatrixPlan = z
  .object({
    runs: z.array(
      z.object({
        name: z.string(),
        values: MatrixValues,
        steps: z.number().int().nullable(),
        seconds: z.object({ low: z.number(), high: z.number() }).nullable(),
        diskBytes: z.number().nullable(),
        refusals: z.array(PlanNote).meta({ description: 'why this combination cannot start; empty if it can' }),
      }),
    ),
    startable: z.number().int().meta({ description: 'number of runs that can start' }),
    seconds: z
      .object({ low: z.number(), high: z.number() })
      .nullable()
      .meta({ description: 'total of all runs that can start, one after another; null if there is no measurement for one of them' }),
    diskBytes: z.number().nullable().meta({ description: 'total of all runs that can start; null if unknown for one of them' }),
    diskFreeBytes: z.number().nullable(),
  })
  .meta({ id: 'MatrixPlan' })
export type MatrixPlan = z.infer<typeof MatrixPlan>

/** Runs that were started together, in the order of their combinations, without deleted ones. */
export const RunMatrix = z.object({ id: MatrixId, runs: z.array(Run) }).meta({ id: 'RunMatrix' })
export type RunMatrix = z.infer<typeof RunMatrix>
