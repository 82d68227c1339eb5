import { closest } from '#contracts/closest.ts'
import type { GuardOverrides } from '#contracts/entities/guardrail.ts'
import { AppError } from '#contracts/errors.ts'
import type { GuardPolicy } from './engine.ts'
import { RULES } from './rules.ts'

const IDS: readonly string[] = RULES.map(({ id }) => id)

/** Throws `invalid_request` for an unknown rule. */
export function policyOf(overrides: GuardOverrides): GuardPolicy {
  for (const id of Object.keys(overrides)) {
    if (IDS.includes(id)) continue
    const near = closest(id, IDS)
    throw new AppError('invalid_request', {
      message: `There is no guardrail rule "${id}".`,
      hint: near === null ? `Rules: ${IDS.join(', ')}.` : `Did you mean ${near}?`,
    })
  }
  return overrides
}
