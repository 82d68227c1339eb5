import type { Decision } from './client.ts'

/** What our rules say about a command; null if they could not be asked. */
export type Verdict = { verdict: string; reason: string } | null

/** Whether our rules are asked: a command of our agent that the client would not deny. */
export const isChecked = (tool: string, isOurs: boolean, { decision }: Decision): boolean =>
  decision !== 'deny' && tool === 'Bash' && isOurs

/** The engine's decision or a stricter one, never a weaker one. */
export function stricter(engine: Decision, ours: Verdict): Decision {
  if (ours?.verdict === 'block') return { decision: 'deny', reason: ours.reason }
  if (ours?.verdict === 'allow' || engine.decision === 'ask') return engine
  return { decision: 'ask', reason: ours?.reason ?? 'Bash Gym could not check this command.' }
}
