import type { GuardVerdict, GuardProfile } from '#contracts/entities/guardrail.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { type Rule, type RuleId, RULES, type Severity } from './rules.ts'
import type { Act } from './shell/acts.ts'
import { follow } from './shell/walk.ts'

/** Verdicts that hold instead of those in the table, by rule. */
export type GuardPolicy = Partial<Record<RuleId, Severity>>

const ALLOWED: GuardVerdict = { verdict: 'allow', rule: null, span: null, reason: null, alternatives: [] }
const ORDER: readonly Severity[] = ['allow', 'warn', 'block']

/** The longest that a command is judged, ms. */
const LIMIT_MS = 2_000

/** `judge`, stopped after a time: what cannot be judged by then counts as what cannot be read. */
export function evaluateWithTimeLimit(...[command, profile, cwd, policy]: Parameters<typeof evaluate>): GuardVerdict {
  try {
    return withTimeLimit(LIMIT_MS, () => evaluate(command, profile, cwd, policy))
  } catch (error) {
    if (!(error instanceof TimeLimitError)) throw error
    return verdictOf([unreadable('it takes too long to read', cwd, null)], profile, policy)
  }
}

/**
 * What to do with a shell command, before it runs. Parsed as Bash and followed as far as it can be, never matched as
 * text. `cwd` is the absolute folder it would run in; null if that is not known. Pure, in time linear in its length.
 */
export function evaluate(command: string, profile: GuardProfile, cwd: string | null, policy?: GuardPolicy): GuardVerdict {
  const nul = command.indexOf('\0')
  const acts = nul < 0 ? follow(command, cwd) : [unreadable('it holds a NUL character', cwd, { start: nul, end: nul + 1 })]
  return verdictOf(acts, profile, policy)
}

const unreadable = (why: string, folder: string | null, span: Act['span']): Act => ({
  kind: 'unreadable',
  why,
  folder,
  isElevated: false,
  span,
})

function verdictOf(acts: readonly Act[], profile: GuardProfile, policy: GuardPolicy = {}): GuardVerdict {
  const severity = (rule: Rule) => policy[rule.id as RuleId] ?? rule[profile] // ids of the table are those of the policy
  let found: { rule: Rule; act: Act } | null = null
  for (const act of acts) {
    for (const rule of RULES as readonly Rule[]) {
      const isWorse = ORDER.indexOf(severity(rule)) > (found ? ORDER.indexOf(severity(found.rule)) : 0)
      if (isWorse && rule.matches(act)) found = { rule, act }
    }
  }
  if (!found) return ALLOWED
  const { rule, act } = found
  const reason = act.kind === 'unreadable' ? `${rule.reason}: ${act.why}.` : rule.reason
  return { verdict: severity(rule), rule: rule.id, span: act.span, reason, alternatives: [...rule.alternatives] }
}
