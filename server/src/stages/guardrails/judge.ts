import type { GuardVerdict, GuardProfile } from '#contracts/entities/guardrail.ts'
import { type Rule, type RuleId, RULES, type Severity } from './rules.ts'
import type { Act } from './shell/acts.ts'
import { follow } from './shell/walk.ts'

/** Verdicts that hold in place of those in the table, by rule. */
export type GuardPolicy = Partial<Record<RuleId, Severity>>

const ALLOWED: GuardVerdict = { verdict: 'allow', rule: null, span: null, reason: null, alternatives: [] }
const ORDER: readonly Severity[] = ['allow', 'warn', 'block']

/**
 * What to do with a shell command, before it runs. Parsed as Bash and followed as far as it can be, never matched as
 * text. `cwd` is the absolute folder it would run in; null where that is not known. Pure, in time linear in its length.
 */
export function judge(command: string, profile: GuardProfile, cwd: string | null, policy: GuardPolicy = {}): GuardVerdict {
  const nul = command.indexOf('\0')
  const acts: readonly Act[] =
    nul < 0
      ? follow(command, cwd)
      : [{ kind: 'unreadable', why: 'it holds a NUL character', folder: cwd, isElevated: false, span: { start: nul, end: nul + 1 } }]
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
