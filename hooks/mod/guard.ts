import { refusalOf } from '#server/stages/guardrails/client/refusal.ts'
import { evaluate } from '#server/stages/guardrails/engine.ts'
import type { OwnGuardRule } from '#contracts/settings/guardrails.ts'
import type { Check, Decision } from './client.ts'

/** What the app wrote for us; without the file the guard is off. */
export interface Guard {
  mode: 'observe' | 'guard'
  /** What is done with a command that cannot be checked. */
  unchecked: 'nothing' | 'ask'
  rules: OwnGuardRule[]
}

/** Longer commands would hold up the client. */
const LONGEST = 20_000

export interface Guarded {
  decision: Decision
  /** For the list of events; null: nothing to tell. */
  action: 'ran' | 'asked' | 'blocked' | null
}

export function guardIn(text: string): Guard | null {
  try {
    const { mode, unchecked, rules } = JSON.parse(text) as Partial<Guard>
    if (mode !== 'observe' && mode !== 'guard') return null
    return { mode, unchecked: unchecked === 'ask' ? 'ask' : 'nothing', rules: Array.isArray(rules) ? rules : [] }
  } catch {
    return null
  }
}

/** The engine's decision about a command of Claude, or a stricter one with the reason and what to do instead. It never allows. */
export function guarded(guard: Guard | null, { tool, input }: Check, engine: Decision, cwd: string | null): Guarded {
  const { command } = (input ?? {}) as { command?: unknown }
  if (guard === null || tool !== 'Bash' || engine.decision === 'deny') return { decision: engine, action: null }
  if (typeof command !== 'string' || command.length > LONGEST) return { decision: unchecked(guard, engine), action: null }
  const ours = evaluate(command, 'native', cwd, {}, guard.rules)
  if (ours.verdict === 'allow') return { decision: engine, action: null }
  if (guard.mode === 'observe') return { decision: engine, action: 'ran' }
  return ours.verdict === 'block'
    ? { decision: { decision: 'deny', reason: refusalOf(ours) }, action: 'blocked' }
    : { decision: { decision: 'ask', reason: refusalOf(ours) }, action: 'asked' }
}

/** What becomes of a command that could not be checked, as the user chose. */
export function unchecked(guard: Guard | null, engine: Decision): Decision {
  if (guard?.mode !== 'guard' || guard.unchecked === 'nothing' || engine.decision !== 'allow') return engine
  return { decision: 'ask', reason: 'Bash Gym could not check this command.' }
}
