import type { z } from 'zod'
import type { RunKind as RunKindSchema } from '#contracts/entities/score.ts'

export type RunKind = z.infer<typeof RunKindSchema>
