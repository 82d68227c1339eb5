import type { z } from 'zod'
import { ShellGenerationRequest } from '#contracts/entities/shell-generation.ts'
import { createRollouts } from '#contracts/routes/rollouts.ts'
import type { Stage, StoredValue } from '../stage.ts'

export interface StoredPlacesDeps {
  /** What sets and generations were started with. Throw if there is no such row. */
  rollouts: (id: string) => unknown
  generation: (id: string) => unknown
}

/** What sets and generations name: a call on a row is judged like the call that made it. */
export function storedPlaces(deps: StoredPlacesDeps): NonNullable<Stage['stored']> {
  const one = (schema: z.ZodType, value: unknown): StoredValue[] => [{ schema, value }]
  const idOf = (call: object) => (call as { params: { id: string } }).params.id // routes with these kinds have an id
  return {
    rollouts: (call) => one(createRollouts.body, deps.rollouts(idOf(call))),
    generation: (call) => one(ShellGenerationRequest, deps.generation(idOf(call))),
  }
}
