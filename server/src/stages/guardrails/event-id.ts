import { hash } from 'node:crypto'

/** The same whenever a rule finds the same in a step, so that it is listed once, whoever finds it. */
export function eventIdOf(traceId: string, { stepId, of, rule }: { stepId: string | null; of: 'body' | 'result'; rule: string }): string {
  const place = hash('sha256', [stepId, of, rule].join('\0')).slice(0, 24)
  return hash('sha256', `${traceId} ${place}`).slice(0, 24)
}
