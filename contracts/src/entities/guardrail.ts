import { z } from 'zod'
import { Instant } from './common.ts'

/** Where a command would run: `native` on the user's machine, `sandbox` in an isolated one. */
export const GuardProfile = z.enum(['native', 'sandbox']).meta({ id: 'GuardProfile' })
export type GuardProfile = z.infer<typeof GuardProfile>

/** What is to be done with a command before it runs. */
export const GuardVerdict = z
  .object({
    verdict: z.enum(['allow', 'warn', 'block']),
    rule: z.string().nullable().meta({ description: 'id of the rule that decided; null: none did' }),
    span: z
      .object({ start: z.number().int(), end: z.number().int() })
      .nullable()
      .meta({ description: 'the part that decided, in UTF-16 units, end exclusive; null: no part alone' }),
    reason: z.string().nullable(),
    alternatives: z.array(z.string()),
  })
  .meta({ id: 'GuardVerdict' })
export type GuardVerdict = z.infer<typeof GuardVerdict>

/** A command that was warned about or blocked. */
export const GuardrailEvent = z
  .object({
    id: z.string(),
    at: Instant,
    verdict: z.enum(['warn', 'block']),
    type: z.literal('command'),
    rule: z.string(),
    reason: z.string(),
    profile: GuardProfile,
    sandboxId: z.string().nullable(),
    excerpt: z.string().meta({ description: 'the part that decided, shortened, without secrets and personal data' }),
  })
  .meta({ id: 'GuardrailEvent' })
export type GuardrailEvent = z.infer<typeof GuardrailEvent>
