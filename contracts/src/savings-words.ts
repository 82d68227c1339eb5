import type { KeptReason, SavingsKind } from './entities/savings.ts'
import type { StepKind, StepRule } from './settings/router.ts'

export const SAVINGS_KIND_WORDS: Record<SavingsKind, string> = { subagent: 'sub-agents', one_turn: 'jobs of one prompt' }

/** Of conversations that stay with Claude, whatever is proven. */
export const KEPT_WORDS: Record<KeptReason, string> = {
  main: 'main conversations',
  agent_type: 'forks, and agents that are the client’s own',
  tools: 'used tools that the gym agent does not have',
  long: 'longer than the gym agent goes on',
  unknown: 'not known who asked for them',
}

export const STEP_KIND_WORDS: Record<StepKind, string> = {
  turn_start: 'first step of a turn',
  turn_rest: 'steps after results of tools',
  subagent: 'steps of sub-agents',
}

/** "steps of sub-agents (Explore): claude-haiku-4-5, effort low". */
export const ruleWords = ({ when, agentType, model, effort }: StepRule): string =>
  `${STEP_KIND_WORDS[when]}${agentType === '' ? '' : ` (${agentType})`}: ${[model, effort === null ? '' : `effort ${effort}`].filter(Boolean).join(', ')}`
