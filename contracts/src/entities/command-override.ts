import { z } from 'zod'
import { Instant } from './common.ts'

export const CommandVerdict = z.enum(['test', 'not_a_run']).meta({ id: 'CommandVerdict' })
export type CommandVerdict = z.infer<typeof CommandVerdict>

/** The user's override for exactly this command, in a project folder and below. */
export const CommandOverride = z
  .object({
    id: z.string(),
    project: z.string().meta({ description: 'a folder; empty means everywhere' }),
    words: z.string().meta({ description: 'a simple command without wrappers such as sudo, timeout or npx' }),
    verdict: CommandVerdict,
    createdAt: Instant,
  })
  .meta({ id: 'CommandOverride' })
export type CommandOverride = z.infer<typeof CommandOverride>

/** The simple commands of a step, each with the user's override. */
export const StepCommands = z
  .object({
    project: z.string(),
    commands: z.array(z.object({ words: z.string(), override: CommandOverride.nullable() })),
  })
  .meta({ id: 'StepCommands' })
export type StepCommands = z.infer<typeof StepCommands>
