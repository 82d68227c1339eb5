import { z } from 'zod'
import { Instant } from './common.ts'
import { ExamId, ExamResult, ExamRun, ExamRunId, ExamRunPlan, ExamRunRequest } from './exam.ts'

/** An exam that one model takes again and again. Nothing is asked before it is switched on. */
export const ThermometerRequest = ExamRunRequest.omit({ against: true })
  .extend({
    exam: ExamId,
    newestModel: z
      .boolean()
      .default(false)
      .meta({ description: 'of a provider: ask the model that your newest session used; until there is one, the one that is named' }),
    every: z.enum(['week', 'month', 'never']).default('week'),
    afterClient: z.boolean().default(true).meta({ description: 'also after your sessions have a new version of Claude Code' }),
    afterModel: z.boolean().default(true).meta({ description: 'also after your sessions have a new model' }),
    maxCostUsd: z.number().positive().optional().meta({ description: 'of one reading; needed for a model outside this machine' }),
  })
  .meta({ id: 'ThermometerRequest' })
export type ThermometerRequest = z.infer<typeof ThermometerRequest>

/** Shown before it is switched on. */
export const ThermometerPlan = ExamRunPlan.omit({ against: true })
  .extend({
    mostUsd: z.number().nullable().meta({ description: 'of one reading; null if it is not known' }),
    mostPerMonth: z
      .number()
      .int()
      .meta({ description: 'readings by date in a month, at most; others follow new versions, at most one a day' }),
  })
  .meta({ id: 'ThermometerPlan' })
export type ThermometerPlan = z.infer<typeof ThermometerPlan>

/** Why a reading was taken. */
export const ReadingReason = z.enum(['on', 'date', 'client', 'model', 'user']).meta({ id: 'ReadingReason' })
export type ReadingReason = z.infer<typeof ReadingReason>

const Level = z.object({ mean: z.number(), low: z.number().nullable(), high: z.number().nullable() })

/** Compared with the reading before, on the items that both have. */
const Change = ExamResult.pick({ delta: true, intervals: true, sessions: true, wins: true, losses: true, ties: true, bound: true }).extend({
  earlier: ExamRunId,
  at: Instant,
  items: z.number().int().meta({ description: 'items that both readings have' }),
  shows: z.enum(['rise', 'fall', 'nothing']).meta({ description: 'a rise or fall: both intervals lie on that side of 0' }),
})

export const ThermometerReading = z
  .object({
    id: ExamRunId,
    run: ExamRun,
    reason: ReadingReason,
    at: Instant,
    client: z.string().nullable().meta({ description: 'version of Claude Code in your newest session then' }),
    level: Level.nullable().meta({
      description: 'mean soft score with its clustered interval; null if nothing was answered, and until it has ended',
    }),
    change: Change.nullable().meta({ description: 'null without an earlier reading of the same kind, or without a common item' }),
    notes: z.array(z.string()),
  })
  .meta({ id: 'ThermometerReading' })
export type ThermometerReading = z.infer<typeof ThermometerReading>

export const Thermometer = z
  .object({
    isOn: z.boolean(),
    request: ThermometerRequest.nullable().meta({ description: 'the last one; null if it was never on' }),
    nextAt: Instant.nullable().meta({ description: 'the next date; null if there is none' }),
    problem: z.string().nullable().meta({ description: 'why the last reading that was due could not start; it is tried again' }),
  })
  .meta({ id: 'Thermometer' })
export type Thermometer = z.infer<typeof Thermometer>
