import type { KeptReason, SavingsKind } from './entities/savings.ts'

export const SAVINGS_KIND_WORDS: Record<SavingsKind, string> = { subagent: 'sub-agents', one_turn: 'jobs of one prompt' }

/** Of conversations that stay with Claude, whatever is proven. */
export const KEPT_WORDS: Record<KeptReason, string> = {
  main: 'main conversations',
  agent_type: 'forks, and agents that are the client’s own',
  tools: 'used tools that the gym agent does not have',
  long: 'longer than the gym agent goes on',
  unknown: 'not known who asked for them',
}
