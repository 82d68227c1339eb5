import type { Agent } from '#contracts/entities/common.ts'

/** The agent whose sessions are captured live and whose hooks write into the spool. */
export const AGENT: Agent = 'claude-code'

/** Agents whose sessions can be imported; `atif` is an exchange format of other agents. */
export const READABLE: readonly Agent[] = ['claude-code', 'codex', 'gemini', 'opencode', 'atif']
