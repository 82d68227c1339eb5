import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import type { Rule } from './rules.ts'
import { actionsOf } from './shell/walk.ts'

/** The most characters of a command that an own rule looks at. */
const LONGEST = 500
const TESTS_MS = 1_000

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

/** The tests of a rule that do not pass, in words. They run through what checks commands and texts. */
export function failingTests(rule: OwnGuardRule): string[] {
  const [command] = ownRules([rule])
  const pattern = new RegExp(rule.pattern, 'u')
  const finds = (text: string) => (command ? actionsOf(text, '/').some((action) => command.matches(action)) : pattern.test(text))
  try {
    return withTimeLimit(TESTS_MS, () => [
      ...rule.matches.filter((text) => !finds(text)).map((text) => `It should find "${text}", but does not.`),
      ...rule.mustNotMatch.filter(finds).map((text) => `It finds "${text}", but must not.`),
    ])
  } catch (error) {
    if (error instanceof TimeLimitError) return ['Its tests take too long. Use a simpler pattern or shorter tests.']
    throw error
  }
}
