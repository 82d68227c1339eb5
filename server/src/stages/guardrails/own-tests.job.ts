import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { TimeLimitError, withTimeLimit } from '#server/workers/time-limit.ts'
import { ownRules } from './own.ts'
import { actionsOf } from './shell/walk.ts'

const TESTS_MS = 1_000

/** Runs the tests of the user's rules on a thread. */
export default function ownTests(rules: readonly OwnGuardRule[]): string[][] {
  return rules.map(failingTests)
}

/** The tests of a rule that do not pass, in words. They run through what checks commands and texts. */
function failingTests(rule: OwnGuardRule): string[] {
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
