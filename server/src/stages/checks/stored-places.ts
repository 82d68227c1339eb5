import type { z } from 'zod'
import { TaskRequest } from '#contracts/entities/task.ts'
import { AppError } from '#contracts/errors.ts'
import { runChecks } from '#contracts/routes/checks.ts'
import type { Selection, TraceFilter } from '#contracts/routes/traces.ts'
import type { Stage, StoredValue } from '../stage.ts'

export interface StoredPlacesDeps {
  /** Throws `filter_invalid`. */
  idsOf: (filter: TraceFilter) => Promise<string[]>
  /** The folder of the project of a session; '' if unknown. Throws `trace_not_found`. */
  projectOf: (traceId: string) => string
}

interface Call {
  params: { id: string }
  body: { selection?: z.infer<typeof Selection>; traces?: z.infer<typeof Selection> } | undefined
}

/** The projects of the sessions that a call names: it is judged like a call with their folders. */
export function storedPlaces(deps: StoredPlacesDeps): NonNullable<Stage['stored']> {
  const folder = (schema: z.ZodType, directory: string): StoredValue[] => (directory === '' ? [] : [{ schema, value: { directory } }])
  const projects = async (schema: z.ZodType, selection: z.infer<typeof Selection> | undefined): Promise<StoredValue[]> => {
    if (selection === undefined) return []
    const ids = 'ids' in selection ? selection.ids : await deps.idsOf(selection.filter)
    return [...new Set(ids.map((id) => orEmpty(() => deps.projectOf(id))))].flatMap((project) => folder(schema, project))
  }
  return {
    session: (call) => folder(runChecks.body, deps.projectOf((call as Call).params.id)), // routes with this kind have an id
    sessions: async (call) => {
      const { selection, traces } = (call as Call).body ?? {}
      return [...(await projects(runChecks.body, selection)), ...(await projects(TaskRequest, traces))]
    },
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
