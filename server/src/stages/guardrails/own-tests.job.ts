import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { failingTests } from './own.ts'

/** Runs the tests of the user's rules on a thread. */
export default function ownTests(rules: readonly OwnGuardRule[]): string[][] {
  return rules.map(failingTests)
}
