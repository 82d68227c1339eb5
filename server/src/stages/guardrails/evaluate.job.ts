import type { GuardCheck, GuardVerdict } from '#contracts/entities/guardrail.ts'
import { evaluateWithTimeLimit, parseOf } from './evaluate.ts'

export interface EvaluateInput {
  command: Parameters<typeof evaluateWithTimeLimit>
  /** Also what the command would do. */
  withParse: boolean
}

/** Checks long commands on a thread. */
export default function evaluateJob({ command, withParse }: EvaluateInput): { verdict: GuardVerdict; parse: GuardCheck['parse'] } {
  return { verdict: evaluateWithTimeLimit(...command), parse: withParse ? parseOf(command[0], command[2]) : null }
}
