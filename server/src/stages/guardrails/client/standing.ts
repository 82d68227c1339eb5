import type { GuardProof } from '#contracts/entities/client-guard.ts'
import type { GuardMode } from '#contracts/settings/guardrails.ts'
import type { CanaryResult } from '#server/adapters/agent-cli/canary/run.ts'
import { REFUSAL } from './refusal.ts'

const LONGEST = 200

/** What a test of the guard showed. A text says why it could not be made. */
export function outcomeOf(result: CanaryResult | string, version: string): Pick<GuardProof, 'outcome' | 'detail'> {
  if (typeof result === 'string') return { outcome: 'unclear', detail: result }
  const client = `Claude Code ${version}`
  if (result.ran) return { outcome: 'ran', detail: `${client} ran the test command, although the guard refuses it.` }
  if (!result.asked) return { outcome: 'unclear', detail: `${client} did not ask the test address for an answer; ${result.ended}.` }
  if (result.result?.includes(REFUSAL) && result.result.includes('(rule '))
    return { outcome: 'refused', detail: `${client} refused the test command because of the guard.` }
  return {
    outcome: 'unclear',
    detail: `${client} did not run the test command, but not because of the guard: ${(result.result ?? result.ended).slice(0, LONGEST)}`,
  }
}

/** Whether the guard holds, as far as it was shown. */
export function standing(facts: {
  mode: GuardMode
  version: string | null
  way: 'mod' | 'hook' | null
  overridableBy: readonly string[]
  proof: GuardProof | null
  /** The test was made with the plugins and hooks that are there now. */
  isSame: boolean
}): { holds: boolean; reason: string } {
  const { mode, version, way, overridableBy, proof, isSame } = facts
  const no = (reason: string) => ({ holds: false, reason })
  if (mode === 'off') return no('Off: commands of Claude Code are not checked before they run.')
  if (way === null) return no('Neither the mod nor the hook is in place.')
  if (mode === 'observe') return no('It lists what the rules find, and refuses nothing.')
  if (version === null) return no('The version of Claude Code could not be read, so nothing was tested.')
  if (proof === null) return no(`Not tested with Claude Code ${version}.`)
  if (!isSame) return no('The plugins or hooks of Claude Code have changed since the last test.')
  if (proof.outcome !== 'refused') return no(proof.detail)
  const others = overridableBy.length > 0 ? ` ${overridableBy.join(', ')} can still allow other commands that it refuses.` : ''
  return { holds: true, reason: `${proof.detail}${others}` }
}
