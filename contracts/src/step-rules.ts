import type { StepKind, StepRule } from './settings/router.ts'

export const STEP_KIND_WORDS: Record<StepKind, string> = {
  turn_start: 'first step of a turn',
  turn_rest: 'steps after results of tools',
  subagent: 'steps of sub-agents',
}

/** "steps of sub-agents (Explore): claude-haiku-4-5, effort low". */
export const ruleWords = ({ when, agentType, model, effort }: StepRule): string =>
  `${STEP_KIND_WORDS[when]}${agentType === '' ? '' : ` (${agentType})`}: ${[model, effort === null ? '' : `effort ${effort}`].filter(Boolean).join(', ')}`

/** A rule in place of the one for the same steps; those of one type of agent come before that of all. */
export const withRule = (rules: readonly StepRule[], rule: StepRule): StepRule[] =>
  [...withoutRule(rules, rule), rule].toSorted((a, b) => Number(a.agentType === '') - Number(b.agentType === ''))

export const withoutRule = (rules: readonly StepRule[], { when, agentType }: Pick<StepRule, 'when' | 'agentType'>): StepRule[] =>
  rules.filter((rule) => rule.when !== when || rule.agentType !== agentType)
