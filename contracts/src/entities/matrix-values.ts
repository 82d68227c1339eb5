import { z } from 'zod'
import { Id } from './common.ts'
import { modelField } from '../places.ts'

export const MatrixId = Id

export const MatrixValue = z.union([
  modelField(z.string().min(1).max(4096), 'Read a base model from a folder', { orName: true }), // the values of `baseModel`
  z.number(),
  z.boolean(),
  z.null(),
  z.array(z.union([z.string().max(200), z.number()])).max(100),
])
export type MatrixValue = z.infer<typeof MatrixValue>

/** The values of one run of a matrix, by setting path. */
export const MatrixValues = z.record(z.string(), MatrixValue)
export type MatrixValues = z.infer<typeof MatrixValues>
