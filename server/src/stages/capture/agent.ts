import type { Agent } from '#contracts/entities/common.ts'

/** The one agent whose sessions are captured live, and whose hooks write into the spool. */
export const AGENT: Agent = 'claude-code'

/** Agents whose sessions are read from where they keep them, and ATIF, in which others hand theirs over. */
export const READABLE: readonly Agent[] = ['claude-code', 'codex', 'gemini', 'opencode', 'atif']
