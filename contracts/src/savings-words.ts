import type { KeptReason, SavingsKind } from './entities/savings.ts'

export const SAVINGS_KIND_WORDS: Record<SavingsKind, string> = { subagent: 'sub-agents', one_turn: 'jobs of one prompt' }

/** After their number: conversations that stay with Claude, whatever is proven. */
export const KEPT_WORDS: Record<KeptReason, string> = {
  main: 'main conversations',
  agent_type: 'of forks, or of agents that are the client’s own',
  tools: 'with tools that the gym agent does not have',
  long: 'longer than the gym agent goes on',
  tried: 'jobs that it was given and did not answer',
  unknown: 'of which it is not recorded who asked for them',
}
