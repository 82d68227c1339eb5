import type { GuardCheck, GuardVerdict, GuardProfile } from '#contracts/entities/guardrail.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { ownRules } from './own.ts'
import { type Rule, type RuleId, RULES, type Severity } from './rules.ts'
import type { Action } from './shell/actions.ts'
import { UNKNOWN } from './shell/text.ts'
import { actionsOf } from './shell/walk.ts'

/** Verdicts by rule that override those in `RULES`. */
export type GuardPolicy = Partial<Record<RuleId, Severity>>

const ALLOWED: GuardVerdict = { verdict: 'allow', rule: null, span: null, reason: null, alternatives: [] }
const ORDER: readonly Severity[] = ['allow', 'warn', 'block']

const LIMIT_MS = 2_000

/** A command that takes longer than the limit counts as unreadable. */
export function evaluateWithTimeLimit(...[command, profile, cwd, policy, own]: Parameters<typeof evaluate>): GuardVerdict {
  try {
    return withTimeLimit(LIMIT_MS, () => evaluate(command, profile, cwd, policy, own))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    return verdictOf([unreadable('it takes too long to read', cwd, null)], profile, policy)
  }
}

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

const readActions = (command: string, cwd: string | null): Action[] => {
  const nul = command.indexOf('\0')
  return nul < 0 ? actionsOf(command, cwd) : [unreadable('it contains a NUL character', cwd, { start: nul, end: nul + 1 })]
}

const MOST_SHOWN = 100
const LONGEST_SHOWN = 200

/** What a command would do, as it was read, for people. */
export function parseOf(command: string, cwd: string | null): NonNullable<GuardCheck['parse']> {
  let actions: Action[]
  try {
    actions = withTimeLimit(LIMIT_MS, () => readActions(command, cwd))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    actions = [unreadable('it takes too long to read', cwd, null)]
  }
  return actions.slice(0, MOST_SHOWN).map((action) => {
    const text = textOf(action)
    return {
      kind: action.kind,
      text: (text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN - 1)}…` : text).replaceAll(UNKNOWN, '?'),
      folder: action.folder,
      isElevated: action.isElevated,
    }
  })
}

function textOf(action: Action): string {
  switch (action.kind) {
    case 'command':
      return [action.name || '?', ...action.args].join(' ')
    case 'write':
      return action.path
    case 'script':
      return `code that is ${action.origin}`
    case 'bomb':
      return 'starts itself again and again'
    default:
      return action.why
  }
}

const unreadable = (why: string, folder: string | null, span: Action['span']): Action => ({
  kind: 'unreadable',
  why,
  folder,
  isElevated: false,
  span,
})

function verdictOf(actions: readonly Action[], profile: GuardProfile, policy: GuardPolicy = {}, own: readonly Rule[] = []): GuardVerdict {
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
