import { z } from 'zod'

/** How text that is not a call is treated. */
export const RawText = z.enum(['plain', 'never', 'always']).meta({
  id: 'RawText',
  description: 'plain: other text is the command; never: it is refused; always: calls that cannot be parsed are run as commands too',
})
export type RawText = z.infer<typeof RawText>

export const CallFormat = z.enum(['plain', 'json', 'fence', 'call', 'tag', 'prose']).meta({ id: 'CallFormat' })
export type CallFormat = z.infer<typeof CallFormat>

/** The `terminal` tool call in a message of a model. */
export const TerminalToolCall = z
  .object({
    tool: z.literal('terminal'),
    arguments: z
      .union([z.object({ command: z.string() }), z.object({ final_answer: z.string() })])
      .nullable()
      .meta({ description: 'null if the call is refused, so nothing may be run' }),
    format: CallFormat,
    warnings: z.array(z.string()),
    error: z.string().optional().meta({ description: 'why the call is refused' }),
  })
  .meta({ id: 'TerminalToolCall' })
export type TerminalToolCall = z.infer<typeof TerminalToolCall>
