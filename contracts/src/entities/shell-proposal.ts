import { z } from 'zod'
import { ShellTaskBody, ShellTaskId } from './shell-task.ts'

/** A shell task that a session allows. Nothing is stored before its user says so. */
export const ShellTaskProposal = ShellTaskBody.extend({
  id: ShellTaskId.meta({ description: 'that the task has when it is stored as it is' }),
  prompt: z.string().nullable().meta({ description: 'that led to it, under the privacy policy' }),
  steps: z.array(z.object({ id: z.string(), command: z.string() })).meta({ description: 'calls of the session that it is made of' }),
  notes: z.array(z.string()).meta({ description: 'what to look at before it is stored' }),
  isStored: z.boolean().meta({ description: 'a task with this id is stored' }),
}).meta({ id: 'ShellTaskProposal' })
export type ShellTaskProposal = z.infer<typeof ShellTaskProposal>

export const ShellTaskProposals = z
  .object({
    traceId: z.string(),
    calls: z.number().int().meta({ description: 'of the shell, in the main conversation' }),
    proposals: z.array(ShellTaskProposal),
    leftOut: z
      .array(z.object({ reason: z.string(), steps: z.array(z.string()) }))
      .meta({ description: 'calls that no task was made of; not those that failed, and those that only look' }),
  })
  .meta({ id: 'ShellTaskProposals' })
export type ShellTaskProposals = z.infer<typeof ShellTaskProposals>
