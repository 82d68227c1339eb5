import { z } from 'zod'

/** The input of a Claude Code hook on stdin. Unknown fields are kept. */
export const HookPayload = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  transcript_path: z.string().optional(),
  cwd: z.string().optional(),
  tool_use_id: z.string().optional(),
  agent_id: z.string().optional(),
})
export type HookPayload = z.infer<typeof HookPayload>
