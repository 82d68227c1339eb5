import { hash } from 'node:crypto'
import type { GuardrailEvent } from '#contracts/entities/guardrail.ts'
import type { Step, TranscriptItem } from '#contracts/entities/step.ts'
import type { GuardrailSettings, OwnGuardRule } from '#contracts/settings/guardrails.ts'
import { AppError } from '#contracts/errors.ts'
import { evaluateWithTimeLimit } from './evaluate.ts'
import { LONGEST_PART, partOf } from './excerpt.ts'
import { requireCheckableLength } from './length.ts'
import { findTaint, type FoundTaint } from './taint/find.ts'
import { checkText } from './text/check.ts'

export interface SweepOptions {
  settings: Pick<GuardrailSettings, 'injectionDetection' | 'codeSafety' | 'blockedTopics' | 'allowedTopics'>
  /** The user's rules that count. */
  rules: readonly OwnGuardRule[]
}

/** A check of a session: that nothing matched, or what did. `text`: the part that decided, not redacted yet. */
export interface Check {
  at: string | null
  found:
    | (Pick<GuardrailEvent, 'verdict' | 'type' | 'rule' | 'reason' | 'profile' | 'score' | 'stepId' | 'action'> & {
        key: string
        text: string
      })
    | null
}

export interface Swept {
  checks: Check[]
  /** Not redacted yet. */
  taint: FoundTaint[]
}

/** Shown after what decided, up to the end of its line. */
const REST = 80
/** The client itself adds this to files that were read. */
const OF_THE_CLIENT =
  /\s*<system-reminder>\s*(?:Whenever you read a file|The TodoWrite tool|The task tools)[^<]{0,1500}<\/system-reminder>\s*$/

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
    found: { ...common, verdict, rule: rule ?? '', reason: reason ?? '', key: keyOf(id, 'body', rule), text: partOf(text, span) },
  }
}

function checkResult({ id, at }: Step, whole: string, { settings, rules }: SweepOptions): Check {
  const text = whole.replace(OF_THE_CLIENT, '')
  const onTexts = rules.filter(({ on }) => on === 'text')
  const { findings } = checkText({ text, direction: 'tool_result', settings, rules: onTexts })
  const worst = findings.find(({ verdict }) => verdict === 'block') ?? findings[0]
  if (!worst) return { at, found: null }
  const { verdict, rule, type, reason, score, spans } = worst
  const end = spans.at(-1)?.end ?? text.length
  const rest = /^[^\n]*/.exec(text.slice(end, end + REST))![0]
  const part = `${text.slice(spans[0]?.start ?? 0, end)}${rest}`.slice(0, LONGEST_PART)
  const common = { stepId: id, profile: null, score, verdict, type: type!, rule: rule!, reason: reason!, action: 'ran' } as const // every finding names its rule
  return { at, found: { ...common, key: keyOf(id, 'result', rule), text: part } }
}

const keyOf = (...place: readonly (string | null)[]) => hash('sha256', place.join('\0')).slice(0, 24)
