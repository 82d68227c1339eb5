import type { GuardRule } from '#contracts/entities/guardrail.ts'
import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { ownId } from './own.ts'
import { RULES } from './rules.ts'
import type { RuleCounts } from './store.ts'
import { TEXT_RULES } from './text/check.ts'

/** Every rule: ours for commands, ours for texts, the user's. */
export function listedRules(counted: readonly RuleCounts[], own: readonly OwnGuardRule[], failing: readonly string[][]): GuardRule[] {
  const counts = new Map(counted.map(({ rule, ...rest }) => [rule, rest]))
  const withCounts = (rule: Omit<GuardRule, 'events' | 'judged' | 'wrong'>): GuardRule => ({
    ...rule,
    ...(counts.get(rule.id) ?? { events: 0, judged: 0, wrong: 0 }),
  })
  const builtIn = { isOwn: false, failing: [] }
  return [
    ...RULES.map(({ id, reason, native, sandbox }) => withCounts({ id, type: 'code', reason, native, sandbox, ...builtIn })),
    ...TEXT_RULES.map(({ id, type, reason, verdict }) => withCounts({ id, type, reason, native: verdict, sandbox: verdict, ...builtIn })),
    ...own.map((rule, index) => {
      const { on, reason, verdict } = rule
      const type = on === 'command' ? 'code' : 'topic'
      return withCounts({ id: ownId(rule), type, reason, native: verdict, sandbox: verdict, isOwn: true, failing: failing[index] ?? [] })
    }),
  ]
}
