import { z } from 'zod'
import { Cursor, Instant, Limit, page, TraceId } from './common.ts'
import { ExamKind } from './exam.ts'

/** What is expected, and what both ends of the proof's 95 % interval would give. Below 0: it would have cost more. */
export const Saved = z.object({ value: z.number(), low: z.number(), high: z.number() }).meta({ id: 'Saved' })
export type Saved = z.infer<typeof Saved>

/** Work that routing may give to the user's own model: the conversation of a sub-agent, or a session of one prompt that a program started. */
export const SavingsKind = z.enum(['subagent', 'one_turn']).meta({ id: 'SavingsKind' })
export type SavingsKind = z.infer<typeof SavingsKind>

/** Why a conversation stays with Claude, whatever is proven. */
export const KeptReason = z.enum(['main', 'agent_type', 'tools', 'long', 'tried', 'unknown']).meta({ id: 'KeptReason' })
export type KeptReason = z.infer<typeof KeptReason>

const amounts = {
  conversations: z.number().int(),
  steps: z.number().int().meta({ description: 'answers of Claude in them' }),
  usd: Saved.nullable().meta({ description: 'null: a model without a price' }),
  tokens: Saved.nullable().meta({ description: 'that Claude would not have read or written, of all classes; null: not recorded' }),
  ms: Saved.nullable().meta({ description: 'null: how long the model takes was not measured' }),
}
export const SavedAmounts = z.object(amounts).meta({ id: 'SavedAmounts' })
export type SavedAmounts = z.infer<typeof SavedAmounts>

/** One session: the steps that the proven model may have taken, and what that would have saved. */
export const SessionSavings = z
  .object({
    traceId: TraceId,
    title: z.string().nullable(),
    at: Instant.nullable(),
    costUsd: z.number().nullable().meta({ description: 'of the whole session, as it was' }),
    kinds: z.array(SavingsKind),
    rereadUsd: z.number().nullable().meta({
      description:
        'taken off: what Claude must write to its cache once more, because the model takes longer than it lives, or did not fill it for others',
    }),
    ...amounts,
  })
  .meta({ id: 'SessionSavings' })
export type SessionSavings = z.infer<typeof SessionSavings>

export const SavingsProof = z
  .object({
    modelId: z.string(),
    name: z.string(),
    kind: ExamKind,
    passed: z.number().int(),
    items: z.number().int(),
    sessions: z.number().int(),
    share: Saved.meta({ description: 'of right answers' }),
    run: z.string(),
    at: Instant,
    pace: z
      .object({ ms: z.number(), n: z.number().int(), of: z.enum(['call', 'task']) })
      .nullable()
      .meta({ description: 'median time of the model in that run of the exam' }),
  })
  .meta({ id: 'SavingsProof' })
export type SavingsProof = z.infer<typeof SavingsProof>

/** All past sessions together. */
export const SavingsSums = z
  .object({
    sessions: z.number().int().meta({ description: 'of the user with Claude Code' }),
    withSteps: z.number().int().meta({ description: 'in which the model may have taken steps' }),
    costUsd: z.number().nullable().meta({ description: 'of all sessions with a known cost' }),
    ...amounts,
    unpriced: z.number().int().meta({ description: 'conversations that are not in `usd`' }),
    byKind: z.array(SavedAmounts.extend({ kind: SavingsKind })),
    kept: z.array(z.object({ reason: KeptReason, conversations: z.number().int() })),
    byMonth: z.array(
      z.object({ month: z.string().meta({ description: 'YYYY-MM, UTC' }), usd: Saved.nullable(), costUsd: z.number().nullable() }),
    ),
  })
  .meta({ id: 'SavingsSums' })
export type SavingsSums = z.infer<typeof SavingsSums>

export const Savings = page(SessionSavings)
  .extend({
    proof: SavingsProof.nullable().meta({ description: 'null: nothing is proven, so nothing is computed' }),
    note: z.string().meta({ description: 'why there is nothing, or what the figures assume' }),
    sums: SavingsSums.nullable(),
  })
  .meta({ id: 'Savings' })
export type Savings = z.infer<typeof Savings>

export const SavingsQuery = z.object({ cursor: Cursor, limit: Limit })
