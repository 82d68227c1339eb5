/** The judge of commands, without Node: it also runs in our mod inside Claude Code. */
import type { GuardProfile, GuardVerdict } from '#contracts/entities/guardrail.ts'
import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { ownRules } from './own.ts'
import { type Rule, type RuleId, RULES, type Severity } from './rules.ts'
import type { Action } from './shell/actions.ts'
import { actionsOf } from './shell/walk.ts'

/** Verdicts by rule that override those in `RULES`. */
export type GuardPolicy = Partial<Record<RuleId, Severity>>

const ALLOWED: GuardVerdict = { verdict: 'allow', rule: null, span: null, reason: null, alternatives: [] }
const ORDER: readonly Severity[] = ['allow', 'warn', 'block']

/**
 * The verdict on a shell command before it runs. The command is parsed as Bash and followed, never matched as text. `cwd`
 * is the absolute folder it would run in; null if unknown. Takes time linear in the length of the command.
 */
export function evaluate(
  command: string,
  profile: GuardProfile,
  cwd: string | null,
  policy?: GuardPolicy,
  own: readonly OwnGuardRule[] = [],
): GuardVerdict {
  return verdictOf(readActions(command, cwd), profile, policy, ownRules(own))
}

export const readActions = (command: string, cwd: string | null): Action[] => {
  const nul = command.indexOf('\0')
  return nul < 0 ? actionsOf(command, cwd) : [unreadable('it contains a NUL character', cwd, { start: nul, end: nul + 1 })]
}

export const unreadable = (why: string, folder: string | null, span: Action['span']): Action => ({
  kind: 'unreadable',
  why,
  folder,
  isElevated: false,
  span,
})

export function verdictOf(
  actions: readonly Action[],
  profile: GuardProfile,
  policy: GuardPolicy = {},
  own: readonly Rule[] = [],
): GuardVerdict {
  const severity = (rule: Rule) => policy[rule.id as RuleId] ?? rule[profile] // the ids in RULES are the keys of a policy
  const rules: readonly Rule[] = [...RULES, ...own]
  let decisive: { rule: Rule; action: Action } | null = null
  for (const action of actions) {
    for (const rule of rules) {
      const isWorse = ORDER.indexOf(severity(rule)) > (decisive ? ORDER.indexOf(severity(decisive.rule)) : 0)
      if (isWorse && rule.matches(action)) decisive = { rule, action }
    }
  }
  if (!decisive) return ALLOWED
  const { rule, action } = decisive
  const reason = action.kind === 'unreadable' ? `${rule.reason}: ${action.why}.` : rule.reason
  return { verdict: severity(rule), rule: rule.id, span: action.span, reason, alternatives: [...rule.alternatives] }
}
