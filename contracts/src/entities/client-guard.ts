import { z } from 'zod'
import { GuardMode, GuardUnchecked } from '../settings/guardrails.ts'
import { Instant } from './common.ts'

/** How it went when Claude Code was given a harmless command that the guard refuses. */
export const GuardProof = z
  .object({
    version: z.string().meta({ description: 'of Claude Code' }),
    at: Instant,
    outcome: z.enum(['refused', 'ran', 'unclear']),
    detail: z.string().meta({ description: 'a sentence' }),
  })
  .meta({ id: 'GuardProof' })
export type GuardProof = z.infer<typeof GuardProof>

/** The guard over Claude Code's own commands, and whether it holds. */
export const ClientGuard = z
  .object({
    mode: GuardMode,
    unchecked: GuardUnchecked,
    way: z
      .enum(['mod', 'hook'])
      .nullable()
      .meta({ description: 'mod: decides inside the client; hook: asks this app; null: neither is in place' }),
    holds: z
      .boolean()
      .meta({ description: 'a test command was refused in this version of Claude Code with the plugins that are there now' }),
    reason: z.string().meta({ description: 'why it holds, or why it only observes' }),
    clientVersion: z.string().nullable(),
    proof: GuardProof.nullable().meta({ description: 'the last test with this version; null: none' }),
    overridableBy: z.array(z.string()).meta({ description: 'mods that can allow what the guard refuses' }),
    canBeFirst: z.boolean().meta({ description: 'a setting of Claude Code can put our mod before them' }),
    problems: z.array(z.string()),
  })
  .meta({ id: 'ClientGuard' })
export type ClientGuard = z.infer<typeof ClientGuard>
