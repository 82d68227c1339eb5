import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import type { Rule } from './rules.ts'

/** The most characters of a command that an own rule looks at. */
const LONGEST = 500

export const ownId = ({ name }: Pick<OwnGuardRule, 'name'>): string => `own-${name}`

/** The user's rules about commands, in the form of ours. */
export const ownRules = (rules: readonly OwnGuardRule[]): Rule[] =>
  rules
    .filter(({ on }) => on === 'command')
    .map((rule) => {
      const pattern = new RegExp(rule.pattern, 'u')
      return {
        id: ownId(rule),
        matches: (action) => action.kind === 'command' && pattern.test([action.name, ...action.args].join(' ').slice(0, LONGEST)),
        native: rule.verdict,
        sandbox: rule.verdict,
        reason: rule.reason,
        alternatives: [],
      }
    })
