import type { Agent } from '#contracts/entities/common.ts'

const AGENTS: Record<Agent, string> = {
  'claude-code': 'Claude Code',
  opencode: 'OpenCode',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  aider: 'Aider',
  cursor: 'Cursor',
  atif: 'ATIF',
  bashbros: 'BashBros',
}
export const agentWord = (agent: Agent): string => AGENTS[agent]
