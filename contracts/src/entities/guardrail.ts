import { z } from 'zod'
import { Instant } from './common.ts'

/** Where a command runs: `native` is the user's machine, `sandbox` an isolated machine. */
export const GuardProfile = z.enum(['native', 'sandbox']).meta({ id: 'GuardProfile' })
export type GuardProfile = z.infer<typeof GuardProfile>

const Severity = z.enum(['allow', 'warn', 'block'])

/** A rule about commands, with its verdict in each profile. */
export const GuardRule = z.object({ id: z.string(), reason: z.string(), native: Severity, sandbox: Severity }).meta({ id: 'GuardRule' })
export type GuardRule = z.infer<typeof GuardRule>

/** Verdicts by rule id that override the built-in ones. */
export const GuardOverrides = z.record(z.string().max(100), Severity).meta({ id: 'GuardOverrides' })
export type GuardOverrides = z.infer<typeof GuardOverrides>

/** Whether a command may run: the decision before it runs, and why. */
export const GuardVerdict = z
  .object({
    verdict: Severity,
    rule: z.string().nullable().meta({ description: 'id of the deciding rule; null if no rule matched' }),
    span: z
      .object({ start: z.number().int(), end: z.number().int() })
      .nullable()
      .meta({ description: 'the part that the rule matched, in UTF-16 units, end exclusive; null means the whole command' }),
    reason: z.string().nullable(),
    alternatives: z.array(z.string()),
  })
  .meta({ id: 'GuardVerdict' })
export type GuardVerdict = z.infer<typeof GuardVerdict>

/** A command that caused a warning or was blocked. */
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
    excerpt: z.string().meta({ description: 'the part that the rule matched, shortened, without secrets and personal data' }),
  })
  .meta({ id: 'GuardrailEvent' })
export type GuardrailEvent = z.infer<typeof GuardrailEvent>
