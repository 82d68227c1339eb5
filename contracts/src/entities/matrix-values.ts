import { z } from 'zod'
import { Id } from './common.ts'

export const MatrixId = Id

export const MatrixValue = z.union([
  z.string().min(1).max(4096),
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string().max(200), z.number()])).max(100),
])
export type MatrixValue = z.infer<typeof MatrixValue>

/** The values of one run of a matrix, by setting path. */
export const MatrixValues = z.record(z.string(), MatrixValue)
export type MatrixValues = z.infer<typeof MatrixValues>
