import { z } from 'zod'

/** What a Claude Code hook passes on stdin (claude-code.md §3.2). Unknown fields are kept. */
export const HookPayload = z.looseObject({
  hook_event_name: z.string(),
  session_id: z.string(),
  transcript_path: z.string().optional(),
  cwd: z.string().optional(),
  tool_use_id: z.string().optional(),
  agent_id: z.string().optional(),
})
export type HookPayload = z.infer<typeof HookPayload>
