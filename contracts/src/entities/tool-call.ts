import { z } from 'zod'

/** What becomes of text that is not a call. */
export const RawText = z.enum(['plain', 'never', 'always']).meta({
  id: 'RawText',
  description: 'plain: other text is the command; never: it is refused; always: so is run whatever cannot be read as a call',
})
export type RawText = z.infer<typeof RawText>

export const CallFormat = z.enum(['plain', 'json', 'fence', 'call', 'tag', 'prose']).meta({ id: 'CallFormat' })
export type CallFormat = z.infer<typeof CallFormat>

/** The call of the tool `terminal` that a message of a model holds. */
export const TerminalToolCall = z
  .object({
    tool: z.literal('terminal'),
    arguments: z
      .union([z.object({ command: z.string() }), z.object({ final_answer: z.string() })])
      .nullable()
      .meta({ description: 'null: refused, and nothing may be run' }),
    format: CallFormat,
    warnings: z.array(z.string()),
    error: z.string().optional().meta({ description: 'why it is refused' }),
  })
  .meta({ id: 'TerminalToolCall' })
export type TerminalToolCall = z.infer<typeof TerminalToolCall>
