import { z } from 'zod'
import { Instant, TraceId } from './common.ts'

/** kept: its commits are there, and nothing corrected them in time; corrected: lost, reverted, fixed, or complained about; open: too early to tell. */
export const OutcomeLabel = z.enum(['kept', 'corrected', 'open', 'unknown']).meta({ id: 'OutcomeLabel' })
export type OutcomeLabel = z.infer<typeof OutcomeLabel>

export const OutcomeFact = z
  .object({
    kind: z.enum(['commit', 'reverted', 'fixed', 'prompt', 'checks']),
    result: z.enum(['good', 'bad', 'open', 'unknown']),
    sentence: z.string(),
    commit: z.string().nullable().meta({ description: 'hash of the commit that shows it' }),
    at: Instant.nullable(),
    traceId: TraceId.nullable().meta({ description: 'session of the prompt' }),
    stepId: z.string().nullable(),
  })
  .meta({ id: 'OutcomeFact' })
export type OutcomeFact = z.infer<typeof OutcomeFact>

/** What happened after a session. It is never a part of the score. */
export const Outcome = z
  .object({
    traceId: TraceId,
    label: OutcomeLabel,
    days: z.number().int().meta({ description: 'a later correction does not count' }),
    at: Instant.meta({ description: 'when the repository was read' }),
    facts: z.array(OutcomeFact),
    problem: z.string().nullable().meta({ description: 'why the repository could not be read' }),
  })
  .meta({ id: 'Outcome' })
export type Outcome = z.infer<typeof Outcome>

export const OutcomeReport = z
  .object({
    traces: z.number().int(),
    labels: z.record(OutcomeLabel, z.number().int()),
    problems: z
      .array(z.object({ folder: z.string(), message: z.string(), sessions: z.number().int() }))
      .meta({ description: 'the first 100' }),
  })
  .meta({ id: 'OutcomeReport' })
export type OutcomeReport = z.infer<typeof OutcomeReport>
