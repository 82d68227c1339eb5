import type { GuardrailEvent } from '#contracts/entities/guardrail.ts'
import type { Step, TranscriptItem } from '#contracts/entities/step.ts'
import type { GuardrailSettings } from '#contracts/settings/guardrails.ts'
import { AppError } from '#contracts/errors.ts'
import { evaluateWithTimeLimit } from './evaluate.ts'
import { partOf } from './excerpt.ts'
import { requireCheckableLength } from './length.ts'
import { findTaint, type FoundTaint } from './taint/find.ts'
import { findInResult, type ResultOptions } from './text/tool-result.ts'

export interface SweepOptions extends ResultOptions {
  settings: ResultOptions['settings'] & Pick<GuardrailSettings, 'codeSafety'>
}

/** A check of a session: that nothing matched, or what did. `text`: the part that decided, not redacted yet. */
export interface Check {
  at: string | null
  found:
    | (Pick<GuardrailEvent, 'verdict' | 'type' | 'rule' | 'reason' | 'profile' | 'score' | 'stepId' | 'action'> & {
        of: 'body' | 'result'
        text: string
      })
    | null
}

export interface Swept {
  checks: Check[]
  /** Not redacted yet. */
  taint: FoundTaint[]
}

/** Reads whole sessions in a worker of the traces stage. */
export const reader = {
  read(items: () => Iterable<TranscriptItem>, options: SweepOptions): Swept {
    const checks: Check[] = []
    const suspect = new Map<string, string>()
    for (const item of items()) {
      if (item.kind !== 'step') continue
      const { step } = item
      const command = isBash(step) ? step.command : null
      if (command !== null && options.settings.codeSafety) {
        const check = checkCommand(step, command, options)
        if (check) checks.push(check)
        if (check?.found || step.rejectedBy === 'user' || step.rejectedBy === 'rule') suspect.set(step.id, command)
      }
      if (step.output !== null && step.output !== '' && options.settings.injectionDetection)
        checks.push(checkResult(step, step.output, options))
    }
    return { checks, taint: findTaint(items, suspect) }
  },
}

/** PowerShell is another language. */
const isBash = ({ tool, command }: Step) => command !== null && command.trim() !== '' && tool !== 'PowerShell'

function checkCommand({ id, at, rejectedBy }: Step, text: string, { rules }: SweepOptions): Check | null {
  try {
    requireCheckableLength(text)
  } catch (error) {
    if (error instanceof AppError) return null // it was not checked, so it is not counted
    throw error
  }
  const { verdict, rule, reason, span } = evaluateWithTimeLimit(text, 'native', null, {}, rules)
  if (verdict === 'allow') return { at, found: null }
  const action = rejectedBy === 'user' || rejectedBy === 'rule' ? 'blocked' : 'ran'
  const common = { stepId: id, profile: 'native', score: null, type: 'code', action } as const
  return {
    at,
    found: { ...common, verdict, rule: rule ?? '', reason: reason ?? '', of: 'body', text: partOf(text, span) },
  }
}

function checkResult({ id, at }: Step, output: string, options: SweepOptions): Check {
  const found = findInResult(output, options)
  return { at, found: found && { ...found, stepId: id, profile: null, action: 'ran', of: 'result' } }
}
