import type { z } from 'zod'
import { TaskRequest } from '#contracts/entities/task.ts'
import { createBatch } from '#contracts/routes/batches.ts'
import { handBackTask } from '#contracts/routes/tasks.ts'
import type { Stage, StoredValue } from '../stage.ts'

export interface StoredPlacesDeps {
  /** What runs and batches were started with. Throw if there is no such row. */
  task: (id: string) => unknown
  batch: (id: string) => unknown
  /** The folder that a run started from, and the one that its change was last put into; null if there is none. */
  startedFrom: (id: string) => string | null
  handedBackTo: (id: string) => string | null
}

interface Call {
  params: { id: string }
  body: { directory?: string } | undefined
}

/** What runs and batches name: a call on a row is judged like the call that made it. */
export function storedPlaces(deps: StoredPlacesDeps): NonNullable<Stage['stored']> {
  const one = (schema: z.ZodType, value: unknown): StoredValue[] => [{ schema, value }]
  const folder = (schema: z.ZodType, directory: string | null): StoredValue[] =>
    directory === null || directory === '' ? [] : one(schema, { directory })
  const idOf = (call: object) => (call as Call).params.id // routes with these kinds have an id
  const bodyOf = (call: object) => (call as Call).body
  return {
    task: (call) => one(TaskRequest, deps.task(idOf(call))),
    taskFolder: (call) => (bodyOf(call)?.directory === undefined ? folder(handBackTask.body, deps.startedFrom(idOf(call))) : []),
    handedBack: (call) => folder(handBackTask.body, deps.handedBackTo(idOf(call))),
    batch: (call) => one(createBatch.body, deps.batch(idOf(call))),
  }
}
