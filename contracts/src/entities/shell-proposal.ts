import { z } from 'zod'
import { ShellTaskBody, ShellTaskId } from './shell-task.ts'

/** A shell task that can be made from a session. It is not stored until the user saves it. */
export const ShellTaskProposal = ShellTaskBody.extend({
  id: ShellTaskId.meta({ description: 'id of the task if it is stored unchanged' }),
  prompt: z.string().nullable().meta({ description: 'the prompt in the session, with the privacy policy applied' }),
  steps: z
    .array(z.object({ id: z.string(), command: z.string() }))
    .meta({ description: 'calls of the session that the task is made from' }),
  notes: z.array(z.string()).meta({ description: 'what to review before it is stored' }),
  isStored: z.boolean().meta({ description: 'true if a task with this id is stored' }),
}).meta({ id: 'ShellTaskProposal' })
export type ShellTaskProposal = z.infer<typeof ShellTaskProposal>

export const ShellTaskProposals = z
  .object({
    traceId: z.string(),
    calls: z.number().int().meta({ description: 'number of shell calls in the main conversation' }),
    proposals: z.array(ShellTaskProposal),
    leftOut: z
      .array(z.object({ reason: z.string(), steps: z.array(z.string()) }))
      .meta({ description: 'calls that no task was made from, except failed calls and calls that only read' }),
  })
  .meta({ id: 'ShellTaskProposals' })
export type ShellTaskProposals = z.infer<typeof ShellTaskProposals>
