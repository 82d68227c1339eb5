import { z } from 'zod'
import { Instant } from './common.ts'

export const LoopStageId = z.enum(['captured', 'decided', 'dataset', 'trained', 'proven', 'used']).meta({ id: 'LoopStageId' })
export type LoopStageId = z.infer<typeof LoopStageId>

export const LoopRule = z.enum(['review', 'build', 'train', 'prove', 'use', 'triage']).meta({ id: 'LoopRule' })
export type LoopRule = z.infer<typeof LoopRule>

const Query = z.string().nullable().meta({ description: 'lists these sessions, in the filter language; null if they are not known' })

export const LoopStage = z.object({
  id: LoopStageId,
  sessions: z.number().int().nullable().meta({ description: "the user's own sessions that got this far; null: not measured" }),
  query: Query,
  newestAt: Instant.nullable().meta({ description: 'when the newest row of this stage was added' }),
  things: z
    .object({ count: z.number().int(), noun: z.string(), href: z.string() })
    .nullable()
    .meta({ description: 'the rows of this stage that are no sessions: data sets, models' }),
  note: z.string().nullable().meta({ description: 'why it is not measured' }),
})
export type LoopStage = z.infer<typeof LoopStage>

/** The step from a stage to the next. */
export const LoopArrow = z.object({
  from: LoopStageId,
  to: LoopStageId,
  sessions: z.number().int().nullable().meta({ description: 'of the sessions of `from`, those that are also in `to`; null: not measured' }),
  query: Query,
  share: z.number().nullable().meta({ description: 'null: not measured, or there is no session in `from`' }),
  isNarrowest: z.boolean().meta({ description: 'of the measured arrows, the one with the least share' }),
})
export type LoopArrow = z.infer<typeof LoopArrow>

export const LoopAction = z.object({
  rule: LoopRule,
  title: z.string(),
  detail: z.string(),
  action: z.string().meta({ description: 'words of its button' }),
  href: z.string().meta({ description: 'page of the app' }),
  count: z.number().int().nullable(),
})
export type LoopAction = z.infer<typeof LoopAction>

/** From sessions to a model in use: how far the user's work got, and the one step that moves it on. */
export const Loop = z
  .object({
    stages: z.array(LoopStage),
    arrows: z.array(LoopArrow),
    next: LoopAction.nullable().meta({ description: 'null: nothing waits for the user' }),
    exams: z
      .array(z.object({ id: z.string(), examId: z.string(), title: z.string(), state: z.string() }))
      .meta({ description: 'runs of exams that are queued or running' }),
  })
  .meta({ id: 'Loop' })
export type Loop = z.infer<typeof Loop>
