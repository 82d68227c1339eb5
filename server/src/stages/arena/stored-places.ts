import type { z } from 'zod'
import { ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import { TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { createBatch } from '#contracts/routes/batches.ts'
import { runChecks } from '#contracts/routes/checks.ts'
import { createRollouts } from '#contracts/routes/rollouts.ts'
import { handBackTask } from '#contracts/routes/tasks.ts'
import type { Selection, TraceFilter } from '#contracts/routes/traces.ts'
import type { Stage, StoredValue } from '../stage.ts'

export interface StoredPlacesDeps {
  /** What runs, batches, sets and generations were started with. Throw if there is no such row. */
  task: (id: string) => unknown
  batch: (id: string) => unknown
  rollouts: (id: string) => unknown
  generation: (id: string) => unknown
  /** The folder that a run started from, and the one that its change was last put into; null if there is none. */
  startedFrom: (id: string) => string | null
  handedBackTo: (id: string) => string | null
  /** Throws `filter_invalid`. */
  idsOf: (filter: TraceFilter) => Promise<string[]>
  /** The folder of the project of a session; '' if unknown. Throws `trace_not_found`. */
  projectOf: (traceId: string) => string
}

interface Call {
  params: { id: string }
  body: { directory?: string; selection?: z.infer<typeof Selection>; traces?: z.infer<typeof Selection> } | undefined
}

/** What the rows of the arena name: a call on a row is judged like the call that made it. */
export function storedPlaces(deps: StoredPlacesDeps): NonNullable<Stage['stored']> {
  const one = (schema: z.ZodType, value: unknown): StoredValue[] => [{ schema, value }]
  const folder = (schema: z.ZodType, directory: string | null): StoredValue[] =>
    directory === null || directory === '' ? [] : one(schema, { directory })
  const projects = async (schema: z.ZodType, selection: z.infer<typeof Selection> | undefined): Promise<StoredValue[]> => {
    if (selection === undefined) return []
    const ids = 'ids' in selection ? selection.ids : await deps.idsOf(selection.filter)
    return [...new Set(ids.map((id) => orEmpty(() => deps.projectOf(id))))].flatMap((project) => folder(schema, project))
  }
  const idOf = (call: object) => (call as Call).params.id // routes with these kinds have an id, or a selection in the body
  const bodyOf = (call: object) => (call as Call).body
  return {
    task: (call) => one(TaskRequest, deps.task(idOf(call))),
    taskFolder: (call) => (bodyOf(call)?.directory === undefined ? folder(handBackTask.body, deps.startedFrom(idOf(call))) : []),
    handedBack: (call) => folder(handBackTask.body, deps.handedBackTo(idOf(call))),
    batch: (call) => one(createBatch.body, deps.batch(idOf(call))),
    rollouts: (call) => one(createRollouts.body, deps.rollouts(idOf(call))),
    generation: (call) => one(ShellGenerationRequest, deps.generation(idOf(call))),
    session: (call) => folder(runChecks.body, deps.projectOf(idOf(call))),
    sessions: async (call) => [
      ...(await projects(runChecks.body, bodyOf(call)?.selection)),
      ...(await projects(TaskRequest, bodyOf(call)?.traces)),
    ],
  }
}

/** An unknown session is left out by the call itself. */
function orEmpty(find: () => string): string {
  try {
    return find()
  } catch (error) {
    if (error instanceof AppError) return ''
    throw error
  }
}
